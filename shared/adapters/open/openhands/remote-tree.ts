// Files of a remote session as a tree: what is there now, laying a tree, and storing what a snapshot holds (architecture 9 Sandbox).
import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { FileMode, TreeEntry } from '#shared/contracts/workspace.ts';
import { atMost } from './at-most.ts';
import { type Kept, keptFiles } from './kept-files.ts';
import { type Listing, listScript, type RemoteFile, readListing } from './list-script.ts';
import { askRemote, bytesOf, type RemotePlace } from './remote-scripting.ts';
import { quoted, within } from './shell-words.ts';
import { refuseLarge } from './sizes.ts';
import { type TarEntry, tarOf } from './tar.ts';
import { fetchBytes, sendBytes } from './transfer.ts';
import type { Trees } from './trees.ts';

/** `workspace`: the path that links into the session are stored with. */
export type RemoteTree = RemotePlace & { workspace: string; trees: Trees };

/** Everything in the session; `kept` are what a snapshot holds, with `entries` as they go into it. */
export type RemoteState = { listing: Listing; kept: Kept; entries: TreeEntry[] };

/** Hashes by path and stamp, of files that were old enough when they were looked at: only a cache, losing it costs time. */
export type HashCache = Map<string, { stamp: string; sha256: string }>;

/** One upload; a file larger than this goes alone. */
const PACK_BYTES = 8_000_000;

/** Requests at once, to the server and to the store; one at a time where any is larger than an upload. */
const AT_ONCE = 8;

/** Bytes of a file that a snapshot can hold: it is in memory while it is stored. */
const MOST = 100_000_000;

/** A file that changed in the last seconds before it was looked at may change again without its times showing it. */
const SETTLED_S = 2;

export async function remoteState(
  place: RemoteTree,
  tracked: ReadonlySet<string>,
  cache: HashCache,
): Promise<RemoteState> {
  const listing = readListing(await askRemote(place, listScript(place.folders.live)));
  const kept = keptFiles(listing, tracked);
  const plain = kept.files.filter(({ kind }) => kind === 'f');
  const hashes = await hashesOf(place, plain, { cache, settled: listing.now - SETTLED_S });
  const entries = kept.files.flatMap((file) => entryOf(file, hashes, (link) => outward(place, listing.top, link)));
  return { listing, kept, entries: entries.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

/** Stores content that the store lacks, then the tree. @throws HcaFault HcaConflict when a file changes meanwhile, HcaTooLarge before it is read */
export async function storeState(place: RemoteTree, { listing, kept, entries }: RemoteState): Promise<string> {
  const lacking = new Set(await place.trees.missing([...new Set(entries.map(({ sha256 }) => sha256))]));
  const targets = new Map(kept.files.map((file) => [file.path, outward(place, listing.top, file.target)]));
  const firsts = new Map(entries.filter(({ sha256 }) => lacking.has(sha256)).map((entry) => [entry.sha256, entry]));
  const store = async (entry: TreeEntry): Promise<void> => {
    const link = entry.mode === 'link' ? bytesOf(targets.get(entry.path) ?? '') : null;
    const bytes = link ?? (await fetchBytes(place, `${place.folders.work}/${entry.path}`, entry.bytes));
    if (bytes === null || hashOf(bytes) !== entry.sha256)
      throw new HcaFault('HcaConflict', {
        message: `"${entry.path}" changed while the snapshot was taken`,
        field: 'path',
      });
    await place.trees.putBlob(bytes);
  };
  const wanted = [...firsts.values()];
  for (const { path, bytes } of wanted) refuseLarge(path, bytes, MOST);
  await atMost(wanted.some(({ bytes }) => bytes > PACK_BYTES) ? 1 : AT_ONCE, wanted, store);
  return place.trees.putTree(entries);
}

/** Writes entries into a folder of the server; content comes from `read`. */
export async function layRemote(
  place: RemoteTree,
  into: string,
  files: { entries: readonly TreeEntry[]; read: (entry: TreeEntry) => Promise<Uint8Array> },
): Promise<void> {
  for (const pack of packsOf(files.entries)) {
    const laid: TarEntry[] = await atMost(AT_ONCE, pack, async (entry) => {
      const bytes = await files.read(entry);
      const target = entry.mode === 'link' ? bytesOf(inward(place, Buffer.from(bytes).toString('utf8'))) : bytes;
      return { path: entry.path, mode: entry.mode, bytes: target };
    });
    const file = place.folders.up(`${randomUUID()}.tgz`);
    await sendBytes(place, file, Uint8Array.from(await promisify(gzip)(tarOf(laid), { level: 1 })));
    const [from, to] = [quoted(file), quoted(into)];
    await askRemote(place, `tar -xzf ${from} --no-same-owner -C ${to} && rm -f ${from}`);
  }
}

/** Sends a list of paths to a command of the session that reads them with NUL between them. */
export async function withPaths(place: RemotePlace, paths: readonly string[], command: string): Promise<string> {
  const file = place.folders.up(`${randomUUID()}.list`);
  await sendBytes(place, file, bytesOf(paths.map((path) => `${path}\0`).join('')));
  const [list, script] = [quoted(file), `cd "$W" || exit 1\n${command}`];
  return askRemote(place, within(place.folders.live, `L=${list}\ntrap 'rm -f -- "$L"' EXIT\n${script}`));
}

async function hashesOf(
  place: RemotePlace,
  files: readonly RemoteFile[],
  { cache, settled }: { cache: HashCache; settled: number },
): Promise<Map<string, string>> {
  const known = files.filter(({ path, stamp }) => cache.get(path)?.stamp === stamp);
  const hashes = new Map(known.map(({ path }) => [path, cache.get(path)?.sha256 ?? '']));
  const rest = files.filter(({ path }) => !hashes.has(path));
  if (rest.length === 0) return hashes;
  const paths = rest.map(({ path }) => `./${path}`);
  const answer = await withPaths(place, paths, 'xargs -0 -r sha256sum -z -- <"$L" 2>/dev/null | base64 -w0');
  for (const line of Buffer.from(answer, 'base64').toString('utf8').split('\0'))
    hashes.set(line.slice(68), line.slice(0, 64));
  for (const { path, stamp, changed } of rest) {
    const sha256 = hashes.get(path);
    if (sha256 !== undefined && changed < settled) cache.set(path, { stamp, sha256 });
    else cache.delete(path);
  }
  return hashes;
}

/** A file that has gone since it was listed has no hash, and is not there. */
function entryOf(file: RemoteFile, hashes: ReadonlyMap<string, string>, link: (target: string) => string): TreeEntry[] {
  const { path, bytes } = file;
  if (file.kind === 'l') {
    const target = bytesOf(link(file.target));
    return [{ path, mode: 'link', sha256: hashOf(target), bytes: target.length }];
  }
  const [sha256, mode]: [string | undefined, FileMode] = [hashes.get(path), file.exec ? 'exec' : 'file'];
  return sha256 === undefined ? [] : [{ path, mode, sha256, bytes }];
}

function packsOf(entries: readonly TreeEntry[]): TreeEntry[][] {
  const packs: TreeEntry[][] = [];
  let room = 0;
  for (const entry of entries) {
    room -= entry.bytes + 1024;
    if (room < 0) {
      packs.push([]);
      room = PACK_BYTES - entry.bytes;
    }
    packs.at(-1)?.push(entry);
  }
  return packs;
}

/** The session is elsewhere, so an absolute link into the workspace must mean the session's copy, and is stored as it was. */
function inward({ workspace, folders }: RemoteTree, link: string): string {
  return isBelow(workspace, link) ? folders.work + link.slice(workspace.length) : link;
}

function outward({ workspace, folders }: RemoteTree, top: string, link: string): string {
  const own = [folders.work, top].find((folder) => isBelow(folder, link));
  return own === undefined ? link : workspace + link.slice(own.length);
}

const isBelow = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`);

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
