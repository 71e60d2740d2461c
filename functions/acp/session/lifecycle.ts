// Sessions come and go: new, load, resume, list, close, delete; all of it from stores, so that a session outlives connection and host.
import { type AcpSession, SessionOptions } from '#shared/contracts/acp-session.ts';
import { resultFrame } from '#shared/protocols/acp/frame.ts';
import { configOptions, modes } from '#shared/protocols/acp/options.ts';
import type { ListSessions, LoadSession, NamedSession, NewSession } from '#shared/protocols/acp/params.ts';
import { checkApart } from '../terms.ts';
import { advance } from './advance.ts';
import { cancelTurns } from './cancel.ts';
import { happened } from './events.ts';
import { offersOf } from './offers.ts';
import { Answered, type Peer, sessionOf } from './peer.ts';
import { withServers } from './servers.ts';
import { BEGINNING, replay, skip } from './show.ts';

const PAGE = 50;

export const newSession = async (given: NewSession, peer: Peer): Promise<object> => {
  const { principal, door } = peer;
  // Who is not told where the home is sits at another machine, and names a folder there.
  if (door.host.identity.home !== undefined) checkApart(given.cwd, door.host);
  const now = door.ports.clock.now();
  const session: AcpSession = {
    tenant: principal.tenant,
    subject: principal.subject,
    id: door.ports.clock.ulid(),
    cwd: given.cwd,
    title: null,
    options: SessionOptions.parse({}),
    servers: [],
    opened_at: now,
    updated_at: now,
  };
  await door.ports.sessions.keep(session);
  await record(peer, session, { key: 'opened', event: { event: 'opened' } });
  await withServers(peer, session, given.mcpServers);
  const result = { sessionId: session.id, ...(await choices(peer, session)) };
  return new Answered(result, () => attach(peer, session, BEGINNING));
};

/** Replays everything before it answers (LOAD-002). */
export const loadSession = async (given: LoadSession, peer: Peer): Promise<object> => {
  const session = await sessionOf(peer, given.sessionId);
  await withServers(peer, session, given.mcpServers);
  await advance(session, peer);
  const position = await replay(peer, session.id);
  return new Answered(await choices(peer, session), () => attach(peer, session, position));
};

/** Replays nothing (RESUME-002). */
export const resumeSession = async (given: LoadSession, peer: Peer): Promise<object> => {
  const session = await sessionOf(peer, given.sessionId);
  await withServers(peer, session, given.mcpServers);
  const position = await skip(peer, session.id);
  return new Answered(await choices(peer, session), () => attach(peer, session, position));
};

export const listSessions = async (given: ListSessions, peer: Peer): Promise<object> => {
  const { cwd, cursor } = given;
  const page = { limit: PAGE, ...(cwd ? { cwd } : {}), ...(cursor ? { before: cursor } : {}) };
  const found = await peer.door.ports.sessions.list(peer.principal, page);
  const sessions = found.map(({ id, cwd: folder, title, updated_at }) => ({
    sessionId: id,
    cwd: folder,
    title,
    updatedAt: new Date(updated_at).toISOString(),
  }));
  return { sessions, nextCursor: found.length < PAGE ? null : (found.at(-1)?.id ?? null) };
};

/** Cancels what runs (CLOSE-002); its answer is still delivered, so the connection goes on following until the turn is over. */
export const closeSession = async (given: NamedSession, peer: Peer): Promise<object> => {
  const session = await sessionOf(peer, given.sessionId);
  const isBusy = await cancelTurns(session, peer);
  if (!isBusy) await peer.door.ports.sessions.detach(session.tenant, peer.connection, session.id);
  return {};
};

/** Deleting what is not there is the same (DELETE-002). A task that runs is stopped, nobody could ask for it any more. */
export const deleteSession = async (given: NamedSession, peer: Peer): Promise<object> => {
  const { sessions } = peer.door.ports;
  const session = await sessions.session(peer.principal, given.sessionId);
  if (session === undefined) return {};
  await cancelTurns(session, peer);
  await answerOwn(peer, session);
  await sessions.detach(session.tenant, peer.connection, session.id);
  await sessions.remove(peer.principal, session.id);
  return {};
};

/** Nobody can answer a prompt of a session that is gone: so its own are answered before it goes. */
const answerOwn = async (peer: Peer, { tenant, id }: AcpSession): Promise<void> => {
  for (const { caller, open } of await peer.door.ports.sessions.unfinished(tenant, id)) {
    if (!open || caller.connection !== peer.connection) continue;
    await peer.send(resultFrame(caller.rpc, { stopReason: 'cancelled' }), id);
  }
};

const choices = async (peer: Peer, { options }: AcpSession) => ({
  modes: modes(options),
  configOptions: configOptions(options, await offersOf(peer)),
});

const attach = (peer: Peer, { tenant, id }: AcpSession, position: typeof BEGINNING): Promise<void> =>
  peer.door.ports.sessions.attach({ tenant, connection: peer.connection, session: id, position });

type Noted = { key: string; event: Parameters<typeof happened>[2] };

const record = (peer: Peer, { tenant, id }: AcpSession, { key, event }: Noted): Promise<void> =>
  happened(peer.door.ports, { tenant, session: id, key }, event);
