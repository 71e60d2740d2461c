// Our own MCP servers on the sandbox port, in process: filesystem, git and shell. The session of a call travels in `_meta`.
import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { isFault } from '#shared/contracts/errors.ts';
import { Confinement } from '#shared/contracts/evidence.ts';
import type { SideEffect } from '#shared/contracts/policy.ts';
import type { FileChange } from '#shared/contracts/workspace.ts';
import { diffLines, toPatch } from '#shared/domain/patch.ts';
import type { Sandbox } from '#shared/ports/sandbox.ts';

/** Keys of the session's and the call's id in a request's `_meta`. */
export const SESSION_META = 'hca/session';
export const CALL_META = 'hca/call';
/** Key of the trace context, as MCP names it for every server. */
export const TRACE_META = 'traceparent';

/** Class of each tool and the arguments that name a path it writes. Our own table, never a server's hints. `by_itself`: its side effect were the network closed, where that is another. */
export type ToolClass = { side_effect: SideEffect; writes: readonly string[]; by_itself?: SideEffect };
export const OWN_TOOLS: Readonly<Record<string, ToolClass>> = {
  'filesystem.read_file': { side_effect: 'read_only', writes: [] },
  'filesystem.write_file': { side_effect: 'local_write', writes: ['path'] },
  'filesystem.remove': { side_effect: 'local_write', writes: ['path'] },
  'filesystem.list': { side_effect: 'read_only', writes: [] },
  'git.status': { side_effect: 'read_only', writes: [] },
  'git.diff': { side_effect: 'read_only', writes: [] },
  'git.patch': { side_effect: 'read_only', writes: [] },
  'shell.run': { side_effect: 'local_write', writes: [] },
};

/** What `shell.run` answers; the evidence of a command is made of it. */
export const CommandResult = z.object({
  exit_code: z.number().int().nullable(),
  signal: z.string().nullable(),
  timed_out: z.boolean(),
  interrupted: z.boolean(),
  stdout: z.string(),
  stderr: z.string(),
  stdout_sha256: z.string(),
  stderr_sha256: z.string(),
  stdout_bytes: z.number().int(),
  stderr_bytes: z.number().int(),
  truncated: z.boolean(),
  duration_ms: z.number().int(),
  confinement: Confinement,
});
export type CommandResult = z.infer<typeof CommandResult>;

/** Two minutes unless the call says otherwise; an hour at most. 64 KB a stream is more than a person or a model reads. */
export const ShellArguments = z.strictObject({
  command: z
    .union([z.string().min(1), z.array(z.string()).min(1)])
    .describe('one line for /bin/sh, or an argument list'),
  cwd: z.string().optional().describe('folder, relative to the workspace'),
  env: z.record(z.string(), z.string()).optional(),
  stdin: z.string().max(1_000_000).optional(),
  timeout_ms: z.number().int().positive().max(3_600_000).default(120_000),
  output_bytes: z.number().int().positive().max(1_000_000).default(64_000),
});

/** The three servers. A fault of the sandbox (not of the call) is handed to `onFault`, since MCP would flatten it to text. */
export function ownServers(sandbox: Sandbox, onFault: OnFault): Record<string, McpServer> {
  const guard: Guard = (ctx, work) => {
    const report = (fault: unknown): void => onFault(metaOf(ctx, CALL_META), fault);
    return work(metaOf(ctx, SESSION_META)).catch((error: unknown) => failed(error, report));
  };
  return {
    filesystem: filesystemServer(sandbox, guard),
    git: gitServer(sandbox, guard),
    shell: shellServer(sandbox, guard),
  };
}

type Answer = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
};
type Guard = (ctx: ServerContext, work: (session: string) => Promise<Answer>) => Promise<Answer>;
type OnFault = (call: string, fault: unknown) => void;

const VERSION = '1.0.0';
const Path = z.strictObject({ path: z.string().describe('relative to the workspace') });
const OptionalPath = z.strictObject({ path: z.string().default('').describe('folder, relative to the workspace') });

function filesystemServer(sandbox: Sandbox, guard: Guard): McpServer {
  const server = new McpServer({ name: 'filesystem', version: VERSION });
  const read = { description: 'Read one file of the workspace.', inputSchema: Path };
  server.registerTool('read_file', read, ({ path }, ctx) => guard(ctx, (session) => readFile(sandbox, session, path)));
  const write = {
    description: 'Write one file of the workspace; folders are made.',
    inputSchema: z.strictObject({ ...Path.shape, content: z.string() }),
  };
  server.registerTool('write_file', write, ({ path, content }, ctx) =>
    guard(ctx, (session) => sandbox.write(session, path, content).then(() => text(`wrote ${path}`))),
  );
  const remove = { description: 'Remove a file or folder of the workspace.', inputSchema: Path };
  server.registerTool('remove', remove, ({ path }, ctx) =>
    guard(ctx, (session) =>
      sandbox.remove(session, path).then((there) => text(there ? `removed ${path}` : `${path} was not there`)),
    ),
  );
  const list = { description: 'List the files of the workspace, or of one folder.', inputSchema: OptionalPath };
  server.registerTool('list', list, ({ path }, ctx) =>
    guard(ctx, (session) =>
      sandbox.list(session, path).then((entries) => text(entries.map((entry) => entry.path).join('\n'))),
    ),
  );
  return server;
}

function gitServer(sandbox: Sandbox, guard: Guard): McpServer {
  const server = new McpServer({ name: 'git', version: VERSION });
  const empty = z.strictObject({});
  const status = { description: 'Files changed in this session: A added, M changed, D deleted.', inputSchema: empty };
  server.registerTool('status', status, (_args, ctx) => guard(ctx, (session) => changedFiles(sandbox, session)));
  const diff = {
    description: 'What changed, as a patch; of one path or folder when given.',
    inputSchema: OptionalPath,
  };
  server.registerTool('diff', diff, ({ path }, ctx) => guard(ctx, (session) => patchOf(sandbox, session, path)));
  const patch = { description: 'The whole change of this session as a patch for git apply.', inputSchema: empty };
  server.registerTool('patch', patch, (_args, ctx) => guard(ctx, (session) => patchOf(sandbox, session, '')));
  return server;
}

function shellServer(sandbox: Sandbox, guard: Guard): McpServer {
  const server = new McpServer({ name: 'shell', version: VERSION });
  const run = {
    description: 'Run a command in the workspace; its own tools are on the PATH.',
    inputSchema: ShellArguments,
    outputSchema: CommandResult,
  };
  server.registerTool('run', run, (args, ctx) =>
    guard(ctx, (session) => runCommand(sandbox, session, traced(args, ctx))),
  );
  return server;
}

async function readFile(sandbox: Sandbox, session: string, path: string): Promise<Answer> {
  const bytes = await sandbox.read(session, path);
  if (bytes === null) return { ...text(`there is no file ${path}`), isError: true };
  const content = Buffer.from(bytes);
  return text(content.includes(0) ? content.toString('base64') : content.toString('utf8'));
}

async function changedFiles(sandbox: Sandbox, session: string): Promise<Answer> {
  const changes = await sandbox.archive(session);
  const lines = changes.files.map((file) => `${markOf(file)} ${file.path}`);
  return { ...text(lines.join('\n')), structuredContent: { ...diffLines(changes), paths: lines } };
}

function markOf({ before, after }: FileChange): 'A' | 'M' | 'D' {
  if (before === null) return 'A';
  return after === null ? 'D' : 'M';
}

async function patchOf(sandbox: Sandbox, session: string, path: string): Promise<Answer> {
  const changes = await sandbox.archive(session);
  const files = changes.files.filter((file) => path === '' || file.path === path || file.path.startsWith(`${path}/`));
  return text(toPatch({ ...changes, files }));
}

async function runCommand(sandbox: Sandbox, session: string, args: z.infer<typeof ShellArguments>): Promise<Answer> {
  const outcome = CommandResult.parse(await sandbox.run(session, args));
  const spoken = [outcome.stdout, outcome.stderr].filter((part) => part !== '').join('\n');
  return { ...text(spoken), structuredContent: outcome };
}

/** A command is told its trace as every program is that continues one: in the environment. */
function traced(args: z.infer<typeof ShellArguments>, ctx: ServerContext): z.infer<typeof ShellArguments> {
  return { ...args, env: { TRACEPARENT: metaOf(ctx, TRACE_META), ...args.env } };
}

function text(content: string): Answer {
  return { content: [{ type: 'text', text: content }] };
}

function metaOf(ctx: ServerContext, key: string): string {
  const value = ctx.mcpReq._meta?.[key];
  return typeof value === 'string' ? value : '';
}

/** Bad input is the caller's, and told as an error result; anything else is the sandbox's fault and must stay one. */
function failed(error: unknown, onFault: (fault: unknown) => void): Answer {
  if (!isFault(error) || error.code !== 'HcaBadInput') onFault(error);
  return { ...text(error instanceof Error ? error.message : String(error)), isError: true };
}
