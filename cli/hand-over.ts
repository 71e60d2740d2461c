// Hands the content of a folder to a host elsewhere: only what is not there, directly where the host has a way, large files in pieces. One that broke
// off goes on where it was, because what has arrived is asked about first.
import { createHash } from 'node:crypto';
import type { SnapshotHere } from '#local/snapshot-here.ts';
import type { Door } from '#shared/client/door.ts';
import type { ResultOf } from '#shared/contracts/acp.ts';
import { type Content, MOST_CONTENTS, PIECE_BYTES } from '#shared/contracts/acp-workspace.ts';
import { HcaFault } from '#shared/contracts/errors.ts';

/** How far it is: contents and bytes that had to be sent. */
export interface HandedOver {
  sent: number;
  bytes: number;
}

type Source = Pick<SnapshotHere, 'entries' | 'read'>;
type Upload = ResultOf<'_hca/workspace/missing'>['uploads'][number];

/** Gives the tree at the host; `progress` hears of everything that was sent. */
export const handOver = async (
  door: Door,
  { entries, read }: Source,
  progress: (so_far: HandedOver) => void,
): Promise<{ tree: string } & HandedOver> => {
  const so_far = { sent: 0, bytes: 0 };
  const sent = ({ bytes }: Content): void => {
    so_far.sent += 1;
    so_far.bytes += bytes;
    progress({ ...so_far });
  };
  const sender: Sender = { door, read, sent };
  await sendMissing(sender, entries);
  const manifest = Buffer.from(JSON.stringify(entries));
  const named = contentOf(manifest);
  await sendMissing({ ...sender, read: () => manifest, sent: () => undefined }, [named]);
  const { tree } = await door.call('_hca/workspace/tree', { manifest: named });
  return { tree, ...so_far };
};

interface Sender {
  door: Door;
  read(sha256: string): Uint8Array;
  sent(content: Content): void;
}

const sendMissing = async (sender: Sender, contents: readonly Content[]): Promise<void> => {
  const each = [...new Map(contents.map(({ sha256, bytes }) => [sha256, { sha256, bytes }])).values()];
  for (let at = 0; at < each.length; at += MOST_CONTENTS) {
    const batch = each.slice(at, at + MOST_CONTENTS);
    const { missing, uploads } = await sender.door.call('_hca/workspace/missing', { contents: batch });
    const wanted = new Set(missing);
    const direct = new Map(uploads.map((upload) => [upload.sha256, upload]));
    for (const content of batch.filter(({ sha256 }) => wanted.has(sha256))) {
      await send(sender, content, direct.get(content.sha256));
      sender.sent(content);
    }
  }
};

const send = async ({ door, read }: Sender, content: Content, upload: Upload | undefined): Promise<void> => {
  const bytes = read(content.sha256);
  if (upload !== undefined) return sendDirectly(upload, bytes);
  if (bytes.length <= PIECE_BYTES) return put(door, bytes);
  const pieces = piecesOf(bytes);
  const named = pieces.map(contentOf);
  await sendMissing(
    { door, read: (sha256) => pieces[named.findIndex((one) => one.sha256 === sha256)] ?? bytes, sent: () => undefined },
    named,
  );
  await door.call('_hca/workspace/join', { ...content, pieces: named });
};

const put = async (door: Door, bytes: Uint8Array): Promise<void> => {
  await door.call('_hca/workspace/put', { base64: Buffer.from(bytes).toString('base64') });
};

const piecesOf = (bytes: Uint8Array): Uint8Array[] => {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) pieces.push(bytes.subarray(at, at + PIECE_BYTES));
  return pieces;
};

const contentOf = (bytes: Uint8Array): Content => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  bytes: bytes.length,
});

const sendDirectly = async ({ url, headers }: Upload, bytes: Uint8Array): Promise<void> => {
  const body = new Blob([new Uint8Array(bytes)]);
  const answer = await fetch(url, { method: 'PUT', headers, body }).catch((cause: unknown) => {
    throw notTaken(cause instanceof Error ? cause.message : String(cause));
  });
  if (!answer.ok) throw notTaken(`status ${answer.status}`);
};

const notTaken = (why: string): HcaFault =>
  new HcaFault('HcaUnavailable', {
    message: `a file could not be handed over: ${why}`,
    field: 'workspace',
    remedy: 'run it again: what has arrived is not sent again',
  });
