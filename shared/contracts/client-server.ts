// MCP servers that an ACP client brings to its session. What their headers and variables hold are secrets: they stay in the session's own record and
// are in no journal, message, artifact or answer.
import * as z from 'zod';

const name = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/i, 'a name of letters, digits, - and _');
const pairs = z
  .array(z.object({ name: z.string().min(1).max(200), value: z.string().max(8000) }))
  .max(64)
  .default([]);

/** `http`: called from the host, through the guard. `stdio`: a program started inside the sandbox session of a task, and nowhere else. */
export const ClientServer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('http'), name, url: z.url().max(2000), headers: pairs }),
  z.object({
    type: z.literal('stdio'),
    name,
    command: z.string().min(1).max(4096),
    args: z.array(z.string().max(8000)).max(200).default([]),
    env: pairs,
  }),
]);
export type ClientServer = z.infer<typeof ClientServer>;

/** The values of a server that must not be shown. */
export const secretsOf = (server: ClientServer): string[] =>
  (server.type === 'http' ? server.headers : server.env).map(({ value }) => value);
