// Which MCP servers of a client policy lets in, and what it would have to say for the others (requirements 8): nothing is let in that nobody named.
import { ClientServer } from '#shared/contracts/client-server.ts';
import type { Policy, SideEffect } from '#shared/contracts/policy.ts';
import { firstMatch } from './glob.ts';
import { withinCeiling } from './policy.ts';

/** Servers of our own: a client's must not be taken for one of them. */
const OWN = new Set(['shell', 'filesystem', 'git']);

/** A client's server that may be used, or why not, in words for a person; the words hold no value of a header or variable. */
export type Admitted = { server: ClientServer } | { name: string; refused: string };

/** Judges one server as a client gave it. */
export const admitServer = (given: { name: string }, policy: Policy): Admitted => {
  const { name } = given;
  if ('type' in given && given.type === 'sse') return { name, refused: 'servers over SSE are not supported: use HTTP' };
  const read = ClientServer.safeParse({ type: 'stdio', ...given });
  if (!read.success) {
    const [issue] = read.error.issues;
    return { name, refused: `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'not as declared'}` };
  }
  const refused = refusalOf(read.data, policy);
  return refused === null ? { server: read.data } : { name, refused };
};

/** The least class of a client's tools: nobody classified them, so they count as what they could do. */
export const leastEffect = (server: ClientServer, policy: Policy): SideEffect =>
  server.type === 'http' || policy.network.access === 'allow' ? 'external_write' : 'local_write';

/** The host of an HTTP server; none of a program. */
export const hostsOf = (server: ClientServer): string[] =>
  server.type === 'http' ? [new URL(server.url).hostname] : [];

const refusalOf = (server: ClientServer, policy: Policy): string | null => {
  const { name } = server;
  if (OWN.has(name)) return 'hca has a server of its own by this name';
  if (!policy.servers.includes(name)) return `policy.servers of the holarchy does not list "${name}"`;
  const effect = leastEffect(server, policy);
  if (!withinCeiling(policy.side_effects, effect)) return `policy.side_effects is below ${effect}`;
  const host = hostsOf(server).find((one) => !reaches(policy, one));
  return host === undefined ? null : `policy.network does not allow the host ${host}`;
};

const reaches = ({ network }: Policy, host: string): boolean =>
  network.access === 'allow' && firstMatch(network.hosts, host) !== null;
