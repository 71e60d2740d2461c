// Connections to the MCP servers that an ACP client brought: HTTP ones through the guard, under the policy of the task that calls; programs inside
// the session they serve. All of a session's end with it.
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ClientServer } from '#shared/contracts/client-server.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Confinement } from '#shared/contracts/evidence.ts';
import type { Policy } from '#shared/contracts/policy.ts';
import { firstMatch } from '#shared/domain/glob.ts';
import { NetRefused, type NetRules } from '#shared/net/guard.ts';
import { type GuardOptions, guardedFetch } from '#shared/net/guarded-fetch.ts';
import type { Sandbox } from '#shared/ports/sandbox.ts';
import type { ToolContext } from '#shared/ports/tools.ts';
import { McpConnection } from './mcp-connection.ts';
import { ForeignServers } from './mcp-foreign-servers.ts';

export interface ClientConnection {
  connection: McpConnection;
  workspace?: string;
  confinement: Confinement;
}

type Net = Omit<GuardOptions, 'rules'>;

export class ClientServers {
  readonly #sandbox: Sandbox;
  readonly #net: Net;
  readonly #programs = new Map<string, ForeignServers>();
  readonly #calls = new Map<string, Promise<ClientConnection>>();

  constructor(sandbox: Sandbox, net: Net = {}) {
    this.#sandbox = sandbox;
    this.#net = net;
  }

  /** @throws HcaFault HcaUnavailable when it does not start or answer; what it says holds no value of a header or variable. */
  connect(server: ClientServer, context: Pick<ToolContext, 'session' | 'policy'>): Promise<ClientConnection> {
    if (server.type === 'stdio') return this.#program(server, context.session);
    const key = keyOf(context.session, { server, policy: context.policy });
    const calling = this.#calls.get(key) ?? this.#call(server, context.policy);
    this.#calls.set(key, calling);
    return calling.catch((cause: unknown) => {
      this.#calls.delete(key);
      throw unavailable(server.name, cause);
    });
  }

  async release(session: string): Promise<void> {
    for (const [key, programs] of this.#programs) {
      if (!key.startsWith(keyOf(session))) continue;
      this.#programs.delete(key);
      await programs.release(session);
    }
    for (const [key, calling] of this.#calls) {
      if (!key.startsWith(keyOf(session))) continue;
      this.#calls.delete(key);
      await calling.then(({ connection }) => connection.close()).catch(() => undefined);
    }
  }

  #program(server: Extract<ClientServer, { type: 'stdio' }>, session: string): Promise<ClientConnection> {
    const key = keyOf(session, server);
    const command = [server.command, ...server.args];
    const env = pairsOf(server.env);
    const configured = { [server.name]: { command, env, tools: {} } };
    const programs = this.#programs.get(key) ?? new ForeignServers(this.#sandbox, configured);
    this.#programs.set(key, programs);
    return programs.connect(server.name, session);
  }

  async #call(server: Extract<ClientServer, { type: 'http' }>, policy: Policy): Promise<ClientConnection> {
    const call = guardedFetch({ ...this.#net, rules: rulesOf(policy) });
    const seen: { refusal?: NetRefused } = {};
    const transport = new StreamableHTTPClientTransport(new URL(server.url), {
      fetch: (url, init) => call(url, init).catch((cause: unknown) => note(seen, cause)),
      requestInit: { headers: pairsOf(server.headers) },
    });
    const opening = McpConnection.over(transport).catch((cause: unknown) => Promise.reject(seen.refusal ?? cause));
    return { connection: await opening, confinement: ELSEWHERE };
  }
}

/** The protocol's client wraps what went wrong; a person is to read what was refused. */
const note = (seen: { refusal?: NetRefused }, cause: unknown): never => {
  if (cause instanceof NetRefused) seen.refusal = cause;
  throw cause;
};

/** Called from the host, and what it does it does on its own machine. */
const ELSEWHERE: Confinement = { kind: 'in-process', network: true, memory_limited: false, notes: ['a remote server'] };

/** A pattern lets public hosts through; a private one must be named in full. */
const rulesOf = ({ network }: Policy): NetRules => ({
  isAllowed: (host) => network.access === 'allow' && firstMatch(network.hosts, host) !== null,
  isPrivateAllowed: (host) => network.access === 'allow' && network.hosts.includes(host),
});

const pairsOf = (pairs: readonly { name: string; value: string }[]): Record<string, string> =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]));

/** Keys of one session begin alike. */
const keyOf = (session: string, what?: object): string =>
  `${JSON.stringify(session)}:${what === undefined ? '' : JSON.stringify(what)}`;

const unavailable = (name: string, cause: unknown): HcaFault => {
  const said = cause instanceof NetRefused ? `: ${cause.message}` : '';
  return new HcaFault('HcaUnavailable', {
    message: `the MCP server "${name}" of the editor did not answer${said}`,
    cause,
  });
};
