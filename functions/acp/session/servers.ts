// MCP servers that a client brings: kept with the session where policy lets them in; for the others a person reads why not.
import type { AcpSession } from '#shared/contracts/acp-session.ts';
import { admitServer } from '#shared/domain/client-servers.ts';
import type { McpServer } from '#shared/protocols/acp/params.ts';
import { happened } from './events.ts';
import type { Peer } from './peer.ts';

/** The session with what was given now, in place of what it had. */
export const withServers = async (peer: Peer, session: AcpSession, given: McpServer[]): Promise<AcpSession> => {
  if (given.length === 0 && session.servers.length === 0) return session;
  // Who only looks gives no task its tools.
  if (!peer.principal.scopes.includes('submit')) return session;
  const policy = await peer.door.ports.holons.policy(session.tenant);
  const judged = given.map((server) => admitServer(server, policy));
  const refused = judged.flatMap((one) => ('refused' in one ? [`- ${one.name}: ${one.refused}`] : []));
  const servers = judged.flatMap((one) => ('server' in one ? [one.server] : []));
  const { sessions, clock } = peer.door.ports;
  const next = { ...session, servers };
  await sessions.keep(next);
  if (refused.length > 0) {
    const at = { tenant: session.tenant, session: session.id, key: `servers:${clock.ulid()}` };
    const text = `Not used:\n${refused.join('\n')}`;
    await happened(peer.door.ports, at, { event: 'notice', severity: 'warning', title: TITLE, text });
  }
  return next;
};

const TITLE = 'MCP servers of the editor';
