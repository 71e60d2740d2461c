// A change as an editor shows it: whole texts of the files that are short enough, from the change set's artifact.
import type { SessionEvent } from '#shared/contracts/acp-session-events.ts';
import { ChangeSet } from '#shared/contracts/workspace.ts';
import { bytesOf } from '#shared/protocols/acp/fit.ts';
import type { Peer } from './peer.ts';

/** Half a frame: the rest of it is names, places and the link to the whole change. */
const MOST_BYTES = 16 * 1024;

export interface Diff {
  path: string;
  oldText: string | null;
  newText: string;
}

type Change = Pick<Extract<SessionEvent, { event: 'change' }>, 'artifact' | 'root'>;

/** The files whose texts fit together into one frame, smallest first; the link beside them leads to all. */
export const diffsOf = async (peer: Peer, change: Change): Promise<Diff[]> => {
  const { files } = await changesOf(peer, change.artifact);
  const all = files.flatMap((file): Diff[] => {
    const isText = (file.before === null || file.before.text !== undefined) && file.after?.text !== undefined;
    if (!isText) return [];
    const newText = file.after?.text ?? '';
    return [{ path: `${change.root}/${file.path}`, oldText: file.before?.text ?? null, newText }];
  });
  return within(all.toSorted((a, b) => bytesOf(a) - bytesOf(b)));
};

/** The change set behind a reference. */
export const changesOf = async (
  { principal, door }: Peer,
  ref: { id: string; version: number },
): Promise<ChangeSet> => {
  const bytes = await door.ports.artifacts.bytes(principal.tenant, ref.id, ref.version);
  return ChangeSet.parse(JSON.parse(new TextDecoder().decode(bytes)));
};

const within = (diffs: Diff[]): Diff[] => {
  let left = MOST_BYTES;
  return diffs.filter((diff) => {
    left -= bytesOf(diff);
    return left >= 0;
  });
};
