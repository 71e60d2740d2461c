// Content of a folder that is on another machine: what is missing, the pieces, and the tree they make.
import { type Content, Manifest } from '#shared/contracts/acp-workspace.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { DoorPorts, Handler } from './ports.ts';

/** A content is put together in memory; whoever has larger ones sends them directly, where the host has a way. */
const MOST_JOINED = 256 * 1024 * 1024;
/** As many entries as a tree may have, with paths of some 1,000 characters. */
const MOST_LISTED = 64 * 1024 * 1024;

export const missingContent: Handler<'_hca/workspace/missing'> = async ({ params, door }) => {
  const { store } = door;
  const missing = await store.missing(params.contents.map(({ sha256 }) => sha256));
  const wanted = new Set(missing);
  const uploads = await store.uploads(params.contents.filter(({ sha256 }) => wanted.has(sha256)));
  return { missing, uploads: uploads.map(({ sha256, url, headers }) => ({ sha256, url, headers: { ...headers } })) };
};

export const putContent: Handler<'_hca/workspace/put'> = async ({ params, door }) => ({
  sha256: await door.store.putBlob(fromBase64(params.base64)),
});

export const joinContent: Handler<'_hca/workspace/join'> = async ({ params, door }) => {
  checkPieces(params);
  const sha256 = await door.store.putBlob(await join(door, params.pieces));
  if (sha256 === params.sha256) return { sha256 };
  throw new HcaFault('HcaBadInput', {
    message: `the pieces make ${sha256}, not ${params.sha256}`,
    field: 'pieces',
    remedy: 'the file changed while it was sent: take the snapshot anew',
  });
};

export const putTree: Handler<'_hca/workspace/tree'> = async ({ params, door }) => {
  if (params.manifest.bytes > MOST_LISTED) throw tooLong(params.manifest.bytes);
  const bytes = await contentOf(door, params.manifest);
  const read = Manifest.safeParse(parse(bytes));
  if (!read.success) throw noManifest(read.error.issues[0]);
  return { tree: await door.store.putTree(read.data), files: read.data.length };
};

/** What the pieces make is known before one is read: each is held to the size that is said of it. */
const checkPieces = ({ bytes, pieces }: { bytes: number; pieces: readonly Content[] }): void => {
  if (bytes > MOST_JOINED) throw tooLarge(bytes);
  const given = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
  if (given === bytes) return;
  throw new HcaFault('HcaBadInput', {
    message: `the pieces have ${given} bytes, not ${bytes}`,
    field: 'pieces',
    remedy: 'the file changed while it was sent: take the snapshot anew',
  });
};

const join = async (door: DoorPorts, pieces: readonly Content[]): Promise<Uint8Array> => {
  const parts: Uint8Array[] = [];
  for (const piece of pieces) parts.push(await contentOf(door, piece));
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

/** A content is read through a tree that holds nothing else. @throws HcaFault HcaBadInput when it is not here */
const contentOf = async ({ store, ports }: DoorPorts, content: Content): Promise<Uint8Array> => {
  const tree = await store.putTree([{ path: 'content', mode: 'file', ...content }]);
  const bytes = await ports.workspaces.read(tree, 'content');
  if (bytes !== null) return bytes;
  throw new HcaFault('HcaNotFound', { message: `the content ${content.sha256} is gone`, retryable: true });
};

const parse = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
};

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));

const noManifest = (issue: { path: PropertyKey[]; message: string } | undefined): HcaFault =>
  new HcaFault('HcaBadInput', {
    message: `the manifest is no list of entries: ${issue?.path.map(String).join('.') ?? ''} ${issue?.message ?? ''}`,
    field: 'manifest',
    remedy: 'a JSON array of path, mode, sha256 and bytes, as _hca/methods describes an entry of a tree',
  });

const tooLong = (bytes: number): HcaFault =>
  new HcaFault('HcaTooLarge', {
    message: `a manifest of ${bytes} bytes is more than can be read (${MOST_LISTED})`,
    field: 'manifest',
    remedy: 'give a smaller folder, or list generated files in .gitignore',
  });

const tooLarge = (bytes: number): HcaFault =>
  new HcaFault('HcaTooLarge', {
    message: `a file of ${bytes} bytes is more than can be taken in pieces (${MOST_JOINED})`,
    field: 'bytes',
    remedy: 'leave it out by .gitignore',
  });
