// The tools port with the MCP servers of an ACP client beside the house's own: only for the tasks of that client's session, only what policy names,
// and never with a secret of theirs in a result.
import { randomUUID } from 'node:crypto';
import { type ClientServer, secretsOf } from '#shared/contracts/client-server.ts';
import { isFault } from '#shared/contracts/errors.ts';
import type { ToolCall, ToolOutcome } from '#shared/contracts/evidence.ts';
import { rootOf } from '#shared/contracts/ids.ts';
import { hostsOf, leastEffect } from '#shared/domain/client-servers.ts';
import type { Sessions } from '#shared/ports/sessions.ts';
import type { ToolContext, ToolEntry, Tools } from '#shared/ports/tools.ts';
import type { ClientConnection, ClientServers } from './mcp-client-servers.ts';
import { bounded, evidenceOf, redactAll, redactor } from './mcp-evidence.ts';
import { rankEntries } from './mcp-lanes.ts';
import { decide, type Known, serverOf, tighten } from './mcp-subject.ts';
import { refused } from './mcp-tools.ts';

/** What a task's client brought; nothing for a task that no session began. */
export type ServersOf = (tenant: string, task: string) => Promise<readonly ClientServer[]>;

/** A task's servers are those of the session's turn that began its root. */
export const serversOfTask =
  (sessions: Pick<Sessions, 'turnOfTask'>): ServersOf =>
  async (tenant, task) =>
    (await sessions.turnOfTask(tenant, rootOf(task)))?.servers ?? [];

const CALL_MS = 120_000;
const RESULT_CHARS = 64_000;

export class ClientTools implements Tools {
  readonly #inner: Tools;
  readonly #connections: ClientServers;
  readonly #serversOf: ServersOf;

  constructor(inner: Tools, connections: ClientServers, serversOf: ServersOf) {
    this.#inner = inner;
    this.#connections = connections;
    this.#serversOf = serversOf;
  }

  async list(context: ToolContext): Promise<ToolEntry[]> {
    const servers = await this.#serversOf(context.tenant, context.task);
    const own = await this.#inner.list(context);
    const brought = await Promise.all(servers.map((server) => this.#entries(context, server)));
    return [...own, ...brought.flat()].sort((a, b) => (a.tool < b.tool ? -1 : 1));
  }

  async discover(context: ToolContext, text: string): Promise<{ entry: ToolEntry; score: number }[]> {
    return rankEntries(await this.list(context), text);
  }

  async call(context: ToolContext, call: ToolCall): Promise<ToolOutcome> {
    const servers = await this.#serversOf(context.tenant, context.task);
    const server = servers.find(({ name }) => name === serverOf(call.tool));
    return server === undefined ? this.#inner.call(context, call) : this.#callTheirs(context, call, server);
  }

  async release(session: string): Promise<void> {
    await this.#connections.release(session);
    await this.#inner.release(session);
  }

  /** Policy first: a server that may not be called is not even connected to. */
  async #callTheirs(context: ToolContext, call: ToolCall, server: ClientServer): Promise<ToolOutcome> {
    const first = decide(context, call, knownOf(context, server));
    if (!first.allowed) return refused(first);
    const connected = await this.#connections.connect(server, context);
    const found = connected.connection.tools.get(call.tool.slice(server.name.length + 1));
    if (found === undefined) {
      return refused({ allowed: false, rule: 'tools.unknown', reason: `there is no tool "${call.tool}"` });
    }
    const answer = decide(context, call, knownOf(context, server, found.tool.annotations));
    if (!answer.allowed) return refused(answer);
    const problem = await found.problem(call.arguments);
    if (problem !== null) return refused({ allowed: false, rule: 'arguments', reason: problem });
    return perform({ context, call, server }, connected, answer.rule);
  }

  async #entries(context: ToolContext, server: ClientServer): Promise<ToolEntry[]> {
    const hidden = (tool: string, known: Known): boolean => {
      const { allowed, needs } = decide(context, { tool, arguments: {} }, known);
      return !allowed && needs === undefined;
    };
    if (!context.policy.servers.includes(server.name)) return [];
    try {
      const { connection } = await this.#connections.connect(server, context);
      return [...connection.tools].flatMap(([name, { tool }]) => {
        const known = knownOf(context, server, tool.annotations);
        const full = `${server.name}.${name}`;
        return hidden(full, known) ? [] : [entryOf({ context, known, tool: full }, tool)];
      });
    } catch (error) {
      if (!isFault(error)) throw error;
      return [];
    }
  }
}

/** Hints of the server may make its tools' class stricter, never milder. */
const knownOf = (context: ToolContext, server: ClientServer, hints?: Parameters<typeof tighten>[1]): Known => ({
  class: tighten({ side_effect: leastEffect(server, context.policy), writes: [] }, hints),
  hosts: hostsOf(server),
});

const entryOf = (
  { context, known, tool }: { context: ToolContext; known: Known; tool: string },
  { description = '', inputSchema }: { description?: string | undefined; inputSchema: ToolEntry['input_schema'] },
): ToolEntry => ({
  tool,
  description,
  side_effect: known.class.side_effect,
  needs_approval: decide(context, { tool, arguments: {} }, known).needs !== undefined,
  ready: true,
  input_schema: inputSchema,
});

type Asked = { context: ToolContext; call: ToolCall; server: ClientServer };

const perform = async (
  { context, call, server }: Asked,
  connected: ClientConnection,
  rule: string,
): Promise<ToolOutcome> => {
  const started = Date.now();
  const options = { context, id: randomUUID(), timeout_ms: CALL_MS };
  const raw = await connected.connection.call(call.tool.slice(server.name.length + 1), call.arguments, options);
  const redact = redactor([...(context.secrets ?? []), ...secretsOf(server)]);
  const { confinement } = connected;
  const record = { call, kind: 'tool' as const, started, text: raw.text, command: null, confinement };
  const { text, truncated } = bounded(redact(raw.text), RESULT_CHARS);
  const structured = raw.structured === undefined ? undefined : redactAll(raw.structured, redact);
  return {
    status: raw.failed ? 'error' : 'ok',
    result: { text, truncated, ...(structured && { structured }) },
    evidence: evidenceOf(record, redact),
    rule,
  };
};
