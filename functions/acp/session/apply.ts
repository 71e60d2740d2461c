// The host writes a change to the folder: once, all or nothing. A claim keeps a second process away while the first one writes.

import { HcaFault, isFault } from '#shared/contracts/errors.ts';
import type { ChangeSet } from '#shared/contracts/workspace.ts';
import { applyTask } from '../change.ts';
import { lastArtifact } from '../retry.ts';
import { changesOf } from './diffs.ts';
import { type At, finish, type Stage, say } from './turn.ts';

/** Longer than writing any change takes. */
const CLAIM_MS = 60_000;

export const applying: Stage = async (at) => {
  const { clock, sessions } = at.peer.door.ports;
  if (at.turn.claimed_until > clock.now()) return undefined;
  const claimed = { ...at.turn, claimed_until: clock.now() + CLAIM_MS };
  if (!(await sessions.saveTurn(claimed))) return undefined;
  const turn = { ...claimed, version: claimed.version + 1 };
  const { files, conflicts } = await write(at);
  await say(at, {
    event: 'applied',
    turn: turn.id,
    task: turn.task,
    by: 'host',
    files,
    conflicts,
    left: [],
    patch: null,
  });
  return finish({ ...at, turn });
};

/** The change of a turn's task and the folder it belongs to. */
export const changesOfTurn = async (at: At): Promise<{ root: string; elsewhere: boolean; changes: ChangeSet }> => {
  const record = await at.peer.door.ports.tasks.load(at.turn.tenant, at.turn.task);
  const artifact = record?.kind === 'task' ? lastArtifact(record) : null;
  const folder = record?.kind === 'task' ? record.spec.workspace : null;
  if (artifact === null || folder === null) {
    throw new HcaFault('HcaNotFound', { message: `the change of ${at.turn.task} is gone` });
  }
  const elsewhere = folder.elsewhere === true;
  const root = elsewhere ? at.session.cwd : folder.root;
  return { root, elsewhere, changes: await changesOf(at.peer, artifact) };
};

type Written = { files: string[]; conflicts: { path: string; reason: string }[] };

/** What cannot be written is told like a conflict: the turn ends all the same, and /apply tries again. */
const write = async ({ turn, peer }: At): Promise<Written> => {
  const params = { task: turn.task, mode: 'write' as const, unaccepted: false };
  try {
    return await applyTask({ params, principal: peer.principal, door: peer.door });
  } catch (error) {
    if (!isFault(error) || error.retryable) throw error;
    return { files: [], conflicts: [{ path: error.field ?? 'folder', reason: error.message }] };
  }
};
