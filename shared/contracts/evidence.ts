// What a tool call leaves behind: proof of what ran, bounded previews and hashes (harness layer 5; L2-ESC-03).
import * as z from 'zod';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** How far a call was confined; whatever could not be confined is said in `notes`, never left unsaid. */
export const Confinement = z.strictObject({
  kind: z.enum(['bubblewrap', 'process-group', 'remote', 'in-process']),
  network: z.boolean().describe('true when the call could reach a network'),
  memory_limited: z.boolean(),
  notes: z.array(z.string().max(500)).max(40),
});
export type Confinement = z.infer<typeof Confinement>;

/** Previews keep head and tail within 2 KB and never hold a known secret; the hashes are over all bytes of the stream. */
export const Evidence = z.strictObject({
  id: z.string().min(1).max(100),
  kind: z.enum(['command', 'tool', 'file', 'diff']),
  tool: z.string().min(1).max(200),
  arguments_sha256: Sha256,
  started_at: z.iso.datetime(),
  duration_ms: z.number().int().nonnegative(),
  exit_code: z.number().int().nullable(),
  signal: z.string().nullable(),
  timed_out: z.boolean(),
  stdout_preview: z.string().max(2048),
  stderr_preview: z.string().max(2048),
  stdout_sha256: Sha256,
  stderr_sha256: Sha256,
  stdout_bytes: z.number().int().nonnegative(),
  stderr_bytes: z.number().int().nonnegative(),
  truncated: z.boolean(),
  confinement: Confinement,
});
export type Evidence = z.infer<typeof Evidence>;

/** A call of one tool, named `server.tool`. */
export const ToolCall = z.strictObject({
  tool: z.string().min(1).max(200),
  arguments: z.record(z.string(), z.json()).default({}),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** The bounded answer of a tool; `structured` is what the server declared by its output schema. */
export const ToolResult = z.strictObject({
  text: z.string(),
  truncated: z.boolean(),
  structured: z.record(z.string(), z.json()).optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;

/** `refused` = policy, unknown tool or arguments off the schema (nothing ran); `error` = it ran and failed. */
export const ToolOutcome = z.strictObject({
  status: z.enum(['ok', 'error', 'refused']),
  result: ToolResult,
  evidence: Evidence.nullable(),
  rule: z.string(),
  needs: z.enum(['parent', 'root', 'person']).optional(),
});
export type ToolOutcome = z.infer<typeof ToolOutcome>;
