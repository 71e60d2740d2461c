// JSON-RPC 2.0 frames of the northbound door, one message each (protocols 5.1): text in, a typed frame or the error to answer out.
// Fetch-style and without state, so that any process can read any frame.
import * as z from 'zod';

/** Standard JSON-RPC codes that are not a fault of ours. */
export const RPC = {
  not_json: -32700,
  bad_frame: -32600,
  unknown_method: -32601,
  bad_params: -32602,
  internal: -32603,
  unauthenticated: -32000,
} as const;

/** Text longer than this is refused before it is parsed: 4 MiB, in bytes where it comes from a network, in UTF-16 units after that. A goal of 1 MB still gets its own, clearer error. */
export const MAX_FRAME = 4 * 1024 * 1024;
/** Deeper nesting than any schema of ours needs; it would only exhaust a parser's stack. */
const MAX_DEPTH = 64;

const FrameId = z.union([z.string().max(200), z.number(), z.null()]);
export type FrameId = z.infer<typeof FrameId>;

/** What an error frame says beside code and message; `code` is the fault's name. */
export const ErrorDetail = z.object({
  code: z.string(),
  field: z.string().optional(),
  remedy: z.string().optional(),
  retryable: z.boolean().default(false),
  /** When asking again may help, in ms from now. */
  retry_after_ms: z.int().min(0).optional(),
});
export type ErrorDetail = z.infer<typeof ErrorDetail>;

export const RpcError = z.object({ code: z.number(), message: z.string(), data: ErrorDetail.optional() });
export type RpcError = z.infer<typeof RpcError>;

const jsonrpc = z.literal('2.0');

/** A request wants one answer with its id; a notification wants none. */
export const RequestFrame = z.object({
  jsonrpc,
  id: FrameId,
  method: z.string().max(200),
  params: z.unknown().optional(),
});
export type RequestFrame = z.infer<typeof RequestFrame>;

export const NotificationFrame = z.object({ jsonrpc, method: z.string().max(200), params: z.unknown().optional() });
export type NotificationFrame = z.infer<typeof NotificationFrame>;

export const AnswerFrame = z.union([
  z.object({ jsonrpc, id: FrameId, error: RpcError }),
  z.object({ jsonrpc, id: FrameId, result: z.unknown() }),
]);
export type AnswerFrame = z.infer<typeof AnswerFrame>;

/** What a text turned out to be. `invalid` carries the answer that its sender gets. */
export type ReadFrame =
  | { kind: 'request'; frame: RequestFrame }
  | { kind: 'notification'; frame: NotificationFrame }
  | { kind: 'answer'; frame: AnswerFrame }
  | { kind: 'invalid'; answer: AnswerFrame };

/** Reads one frame. Never throws: what is not a frame comes back with the error to send. */
export const readFrame = (text: string): ReadFrame => {
  if (text.length > MAX_FRAME) return invalid(RPC.bad_frame, tooLong(text.length));
  const value = parse(text);
  if (value === undefined) return invalid(RPC.not_json, 'the frame is not JSON');
  if (Array.isArray(value)) return invalid(RPC.bad_frame, 'batches are not supported: send one message per frame');
  if (isDeep(value, MAX_DEPTH)) return invalid(RPC.bad_frame, `the frame is nested deeper than ${MAX_DEPTH} levels`);
  return classify(value);
};

/** The frame that answers a request with its result. */
export const resultFrame = (id: FrameId, result: unknown): AnswerFrame => ({ jsonrpc: '2.0', id, result });

/** The frame that answers a request with an error. */
export const errorFrame = (id: FrameId, error: RpcError): AnswerFrame => ({ jsonrpc: '2.0', id, error });

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const classify = (value: unknown): ReadFrame => {
  const request = RequestFrame.safeParse(value);
  if (request.success && hasKey(value, 'id')) return { kind: 'request', frame: request.data };
  const answer = AnswerFrame.safeParse(value);
  if (answer.success && !hasKey(value, 'method')) return { kind: 'answer', frame: answer.data };
  const notification = NotificationFrame.safeParse(value);
  if (notification.success && !hasKey(value, 'id')) return { kind: 'notification', frame: notification.data };
  return invalid(
    RPC.bad_frame,
    'not a JSON-RPC 2.0 message: it needs "jsonrpc": "2.0", a method and, to be answered, an id',
  );
};

const hasKey = (value: unknown, key: string): boolean => typeof value === 'object' && value !== null && key in value;

const isDeep = (value: unknown, left: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((inner) => isDeep(inner, left - 1));
};

const tooLong = (length: number): string => `the frame has ${length} characters, at most ${MAX_FRAME} are read`;

const invalid = (code: number, message: string): ReadFrame => ({
  kind: 'invalid',
  answer: errorFrame(null, { code, message, data: { code: 'HcaBadInput', retryable: false } }),
});
