// Params of the ACP v1 methods we answer. Keys we do not know are dropped, `_meta` is tolerated everywhere (META-001); what we accept must be
// what the SDK's types call valid, which the compiler checks at the end.
import type * as acp from '@agentclientprotocol/sdk';
import * as z from 'zod';

const meta = z.record(z.string(), z.unknown()).nullish();
const sessionId = z.string().min(1).max(200);
const folder = z
  .string()
  .max(4096)
  .regex(/^\/[^\0]*$/, 'cwd is an absolute path');

/** A client's MCP server as it was given; which of them can be used is decided one by one, so none of them makes the request wrong. */
const McpServer = z.looseObject({ name: z.string().max(200).default('?') });
export type McpServer = z.infer<typeof McpServer>;
const workspace = { cwd: folder, mcpServers: z.array(McpServer).max(100).default([]) };

/** Unknown capabilities are no error: a newer client is served with what is known. */
export const Initialize = z.object({
  protocolVersion: z.int().min(0).max(65_535),
  clientCapabilities: z
    .object({
      fs: z.object({ readTextFile: z.boolean().default(false), writeTextFile: z.boolean().default(false) }).nullish(),
      elicitation: z.object({ form: z.looseObject({}).nullish() }).nullish(),
    })
    .nullish(),
  clientInfo: z.object({ name: z.string().max(200) }).nullish(),
});
export type Initialize = z.infer<typeof Initialize>;
/** `_meta.hca.token`: a fresh token, for a connection whose first one ends. */
export const Authenticate = z.object({
  methodId: z.string().max(200),
  _meta: z.object({ hca: z.object({ token: z.string().max(20_000).optional() }).optional() }).nullish(),
});
export type Authenticate = z.infer<typeof Authenticate>;
export const NewSession = z.object(workspace);
export type NewSession = z.infer<typeof NewSession>;
export const LoadSession = z.object({ sessionId, ...workspace });
export type LoadSession = z.infer<typeof LoadSession>;
export const ListSessions = z.object({ cwd: folder.nullish(), cursor: z.string().max(200).nullish() });
export type ListSessions = z.infer<typeof ListSessions>;
export const NamedSession = z.object({ sessionId });
export type NamedSession = z.infer<typeof NamedSession>;
export const SetMode = z.object({ sessionId, modeId: z.string().max(100) });
export type SetMode = z.infer<typeof SetMode>;
export const SetOption = z.object({
  sessionId,
  configId: z.string().max(100),
  value: z.union([z.string().max(200), z.boolean()]),
});
export type SetOption = z.infer<typeof SetOption>;
export const CancelRequest = z.object({ requestId: z.union([z.string().max(200), z.number(), z.null()]) });
export type CancelRequest = z.infer<typeof CancelRequest>;

/** A block of a prompt. Images and sounds are not announced, so a client that sends one is told. */
const Block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('resource_link'), uri: z.string(), name: z.string() }),
]);
export const Prompt = z.object({
  sessionId,
  prompt: z.array(Block).min(1, 'the prompt is empty').max(200),
  _meta: z.object({ hca: z.object({ task: z.record(z.string(), z.unknown()).optional() }).optional() }).nullish(),
});
export type Prompt = z.infer<typeof Prompt>;

/** What a client answered to `session/request_permission`. */
export const PermissionAnswer = z.object({
  outcome: z.discriminatedUnion('outcome', [
    z.object({ outcome: z.literal('cancelled') }),
    z.object({ outcome: z.literal('selected'), optionId: z.string() }),
  ]),
  _meta: meta,
});

/** What a client answered to `fs/read_text_file`. */
export const ReadAnswer = z.object({ content: z.string() });

/** What was asked, as text: links say where to look and are no part of the goal. */
export const textOf = (prompt: Prompt['prompt']): string =>
  prompt
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim();

type Valid = [
  acp.InitializeRequest extends z.input<typeof Initialize> ? true : never,
  acp.NewSessionRequest extends z.input<typeof NewSession> ? true : never,
  acp.LoadSessionRequest extends z.input<typeof LoadSession> ? true : never,
  acp.ResumeSessionRequest extends z.input<typeof LoadSession> ? true : never,
  acp.ListSessionsRequest extends z.input<typeof ListSessions> ? true : never,
  acp.SetSessionModeRequest extends z.input<typeof SetMode> ? true : never,
  acp.SetSessionConfigOptionRequest extends z.input<typeof SetOption> ? true : never,
  acp.CancelRequestNotification extends z.input<typeof CancelRequest> ? true : never,
  acp.RequestPermissionResponse extends z.input<typeof PermissionAnswer> ? true : never,
];
/** Every request that the SDK calls valid is one that the schemas above take, prompts with pictures excepted. */
[true, true, true, true, true, true, true, true, true] satisfies Valid;
