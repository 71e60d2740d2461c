// A person changes an option of a session; every connection that follows it hears of it.
import type { AcpSession, SessionOptions } from '#shared/contracts/acp-session.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { chosen, configOptions } from '#shared/protocols/acp/options.ts';
import type { SetMode, SetOption } from '#shared/protocols/acp/params.ts';
import { happened } from './events.ts';
import { offersOf } from './offers.ts';
import { allow, type Peer, sessionOf } from './peer.ts';

/** Answers with the complete list (CONFIG-002). */
export const setOption = async (given: SetOption, peer: Peer): Promise<object> => {
  const session = await sessionOf(peer, given.sessionId);
  const offers = await offersOf(peer);
  const options = await choose(peer, session, { id: given.configId, value: given.value });
  return { configOptions: configOptions(options, offers) };
};

/** Modes are the option `approval`, for clients that know no options (MODES-002). */
export const setMode = async (given: SetMode, peer: Peer): Promise<object> => {
  const session = await sessionOf(peer, given.sessionId);
  await choose(peer, session, { id: 'approval', value: given.modeId });
  return {};
};

/** Changes one option, for everybody who follows the session. @throws HcaFault HcaBadInput for what is not offered */
export const choose = async (
  peer: Peer,
  session: AcpSession,
  { id, value }: { id: string; value: string | boolean },
): Promise<SessionOptions> => {
  const options = chosen(session.options, { id, value }, await offersOf(peer));
  if (options === undefined) {
    throw new HcaFault('HcaBadInput', {
      message: `there is no option ${id} with the value ${String(value)}`,
      field: 'value',
      remedy: 'use one of the values that session/new answered',
    });
  }
  const { clock, sessions } = peer.door.ports;
  if (options.approval === 'always' && id === 'approval') allow(peer, 'approve', 'this option');
  if (id === 'approval') await takeBack(peer, session, options);
  await sessions.keep({ ...session, options, updated_at: clock.now() });
  const at = { tenant: session.tenant, session: session.id, key: `options:${clock.ulid()}` };
  await happened(peer.door.ports, at, { event: 'options', options });
  return options;
};

/** Who wants to be asked, or to write nothing, takes back an "always" that was said for the folder before. */
const takeBack = async (
  { principal, door }: Peer,
  session: AcpSession,
  { approval }: SessionOptions,
): Promise<void> => {
  if (approval === 'always') return;
  const { sessions, tasks } = door.ports;
  const last = await sessions.lastSubmitted(session.tenant, session.id);
  const record = last === undefined ? undefined : await tasks.load(session.tenant, last.task);
  const root = record?.kind === 'task' ? record.spec.workspace?.root : undefined;
  for (const folder of new Set([session.cwd, root ?? session.cwd])) await sessions.disallow(principal, folder);
};
