// What API Gateway hands over, as far as it is read: one HTTP request (payload 2.0), or one event of a WebSocket.
import * as z from 'zod';

const Headers = z.record(z.string(), z.string().optional()).nullish();

export const HttpEvent = z.object({
  rawPath: z.string(),
  headers: Headers,
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().default(false),
  requestContext: z.object({
    http: z.object({ method: z.string() }),
    domainName: z.string().optional(),
    authorizer: z.object({ lambda: z.unknown().optional(), iam: z.unknown().optional() }).nullish(),
  }),
});
export type HttpEvent = z.infer<typeof HttpEvent>;

export const SocketEvent = z.object({
  headers: Headers,
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().default(false),
  requestContext: z.object({
    eventType: z.enum(['CONNECT', 'MESSAGE', 'DISCONNECT']),
    connectionId: z.string(),
    authorizer: z.unknown().optional(),
    identity: z.unknown().optional(),
  }),
});
export type SocketEvent = z.infer<typeof SocketEvent>;

/** An answer to API Gateway. */
export interface GatewayAnswer {
  statusCode: number;
  headers?: Record<string, string>;
  body?: string;
}

/** The text of a request. */
export const textOf = ({ body, isBase64Encoded }: Pick<HttpEvent, 'body' | 'isBase64Encoded'>): string =>
  isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString('utf8') : (body ?? '');

/** A header by its name in lower case; API Gateway keeps a WebSocket's as they were sent. */
export const headerOf = (headers: z.infer<typeof Headers>, name: string): string | undefined =>
  Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];
