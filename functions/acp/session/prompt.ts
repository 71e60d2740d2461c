// `session/prompt`: writes down that it was asked, and no more; `advance` does it, `pump` shows it, the journal answers it.
import type { AcpSession, AcpTurn } from '#shared/contracts/acp-session.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { readCommand } from '#shared/protocols/acp/commands.ts';
import type { FrameId } from '#shared/protocols/acp/frame.ts';
import { type Prompt, textOf } from '#shared/protocols/acp/params.ts';
import { happened } from './events.ts';
import { type Peer, sessionOf } from './peer.ts';

/** A title is the beginning of the first goal. */
const TITLE = 80;

/** @throws HcaFault HcaNotFound for a session that is not there, HcaRefused while another prompt runs, HcaBadInput without text. */
export const prompt = async (given: Prompt, peer: Peer, id: FrameId): Promise<void> => {
  const session = await sessionOf(peer, given.sessionId);
  const turn = turnOf(session, { given, peer, id });
  if (turn.text === '' && turn.given.goal === undefined) throw noText();
  if (!(await peer.door.ports.sessions.begin(turn))) throw busy();
  const title = session.title ?? titleOf(turn.text);
  await happened(
    peer.door.ports,
    { tenant: session.tenant, session: session.id, key: `${turn.id}:prompt` },
    {
      event: 'prompt',
      turn: turn.id,
      caller: turn.caller,
      text: turn.text,
      title: session.title === null ? title : null,
    },
  );
  await peer.door.ports.sessions.keep({ ...session, title, updated_at: turn.at });
};

const turnOf = (session: AcpSession, { given, peer, id }: { given: Prompt; peer: Peer; id: FrameId }): AcpTurn => {
  const { clock } = peer.door.ports;
  const text = textOf(given.prompt);
  return {
    tenant: session.tenant,
    session: session.id,
    id: clock.ulid(),
    version: 1,
    caller: { connection: peer.connection, rpc: id },
    scopes: peer.principal.scopes,
    text,
    given: given._meta?.hca?.task ?? {},
    task: clock.ulid(),
    submitted: false,
    questions: 0,
    servers: session.servers,
    stage: 'new',
    // A command is answered at once and may be given while a task runs that nobody waits for any more.
    open: readCommand(text) === undefined,
    cancel: null,
    claimed_until: 0,
    at: clock.now(),
  };
};

/** A command makes no title. */
const titleOf = (text: string): string | null => {
  if (readCommand(text) !== undefined || text === '') return null;
  const line = text.split('\n')[0] ?? '';
  return line.length > TITLE ? `${line.slice(0, TITLE - 1)}…` : line;
};

const noText = (): HcaFault =>
  new HcaFault('HcaBadInput', {
    message: 'the prompt has no text',
    field: 'prompt',
    remedy: 'say what should be true afterwards, for example "make lint and tests pass"',
  });

const busy = (): HcaFault =>
  new HcaFault('HcaRefused', {
    message: 'a prompt of this session is still running',
    field: 'sessionId',
    remedy: 'wait for its answer, or stop it with session/cancel or /cancel',
  });
