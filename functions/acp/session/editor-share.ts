// Which files of a change an editor writes, and why the others are left: texts that fit a frame it can; it removes nothing, and knows no links and
// no binary files. On its own folder the host writes those; in a folder of another machine nobody can, and a person is told.
import type { AcpConnection } from '#shared/contracts/acp-session.ts';
import type { FileChange } from '#shared/contracts/workspace.ts';
import { bytesOf, MOST_BYTES } from '#shared/protocols/acp/fit.ts';

/** A file that nobody writes here. */
export interface Left {
  path: string;
  reason: string;
}

/** Each file is a question and an answer: more than this are too many for an editor. */
const MOST_FILES = 500;
/** What a frame holds beside the text. */
const AROUND = 2048;

/** Splits the files of a folder that this host cannot reach. */
export const shareOf = (
  client: AcpConnection | undefined,
  files: readonly FileChange[],
): { mine: FileChange[]; left: Left[] } => {
  const mine: FileChange[] = [];
  const left: Left[] = [];
  for (const file of files) {
    const reason = reasonOf(client, file) ?? (mine.length < MOST_FILES ? null : 'there are too many files');
    if (reason === null) mine.push(file);
    else left.push({ path: file.path, reason });
  }
  return { mine, left };
};

/** Whether an editor could write it all. */
export const isEditorWritable = (files: readonly FileChange[]): boolean => files.every((file) => unfit(file) === null);

const reasonOf = (client: AcpConnection | undefined, file: FileChange): string | null => {
  if (client?.writes !== true || !client.reads) return 'this editor does not let an agent read and write its files';
  return unfit(file);
};

const unfit = ({ before, after }: FileChange): string | null => {
  if (after === null) return 'an editor cannot be asked to delete a file';
  if (after.mode === 'link' || before?.mode === 'link') return 'an editor cannot write a link';
  if (after.text === undefined) return 'it is not text';
  if (after.mode !== (before?.mode ?? 'file')) return 'an editor cannot set the mode of a file';
  return bytesOf(after.text) < MOST_BYTES - AROUND ? null : 'it is too large for one message to an editor';
};
