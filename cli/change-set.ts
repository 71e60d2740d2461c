// The change of a task, read from its artifact piece by piece.
import type { Door } from '#shared/client/door.ts';
import { ChangeSet } from '#shared/contracts/workspace.ts';

export const changesOf = async (door: Door, artifact: { id: string; version: number }): Promise<ChangeSet> => {
  const pieces: Buffer[] = [];
  let offset: number | null = 0;
  while (offset !== null) {
    const piece: { base64: string; next: number | null } = await door.call('_hca/artifact/get', {
      id: artifact.id,
      version: artifact.version,
      offset,
    });
    pieces.push(Buffer.from(piece.base64, 'base64'));
    offset = piece.next;
  }
  return ChangeSet.parse(JSON.parse(Buffer.concat(pieces).toString('utf8')));
};
