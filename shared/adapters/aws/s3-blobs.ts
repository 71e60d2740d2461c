// The content of files, each stored once for each tenant under its SHA-256; what is there is found out before anything is sent.
import { createHash } from 'node:crypto';
import { CONTENT_DAYS, PREFIXES } from '#shared/contracts/bucket.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { TreeEntry } from '#shared/contracts/workspace.ts';
import { checkedHashes } from '#shared/domain/tree-faults.ts';
import type { Upload } from '#shared/ports/workspaces.ts';
import type { Clock } from '#shared/ports/world.ts';
import { atOnce } from './at-once.ts';
import type { Objects } from './s3-objects.ts';

/** See `WorkspaceBucket`. */
interface Store {
  objects: Objects;
  clock: Clock;
  tenant: () => string;
  upload?: (key: string, content: { sha256: string; bytes: number }) => Promise<Upload>;
}

type Content = Pick<TreeEntry, 'sha256' | 'bytes'>;

/** Contents of the tenant that `tenant` names at the time of the call. */
export interface Blobs {
  missing(hashes: readonly string[]): Promise<string[]>;
  /** Entries whose content is not there in their size. */
  lacking(entries: readonly TreeEntry[]): Promise<TreeEntry[]>;
  put(bytes: Uint8Array): Promise<string>;
  uploads(contents: readonly Content[]): Promise<Upload[]>;
  read(sha256: string): Promise<Uint8Array>;
}

/** Objects that are looked at together: 50,000 files in half a minute. */
const WIDTH = 32;
/** A file of a project that is edited by hand; a function of 512 MB holds it twice. */
const MOST = 100_000_000;

export const s3Blobs = ({ objects, clock, tenant, upload }: Store): Blobs => {
  const sizes = knownSizes(objects, clock);
  return {
    missing: async (hashes) => {
      const found = await sizes.of(tenant(), checkedHashes(hashes));
      return [...found].filter(([, bytes]) => bytes === null).map(([sha256]) => sha256);
    },
    lacking: async (entries) => {
      const found = await sizes.of(tenant(), [...new Set(entries.map(({ sha256 }) => sha256))]);
      return entries.filter(({ sha256, bytes }) => found.get(sha256) !== bytes);
    },
    put: async (bytes) => {
      refuseLarge(bytes.byteLength);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const key = blobKey(tenant(), sha256);
      await objects.put(key, { body: bytes, sha256, type: 'application/octet-stream' });
      sizes.note(key, bytes.byteLength);
      return sha256;
    },
    uploads: async (contents) => {
      if (upload === undefined) return [];
      checkedHashes(contents.map(({ sha256 }) => sha256));
      for (const { bytes } of contents) refuseLarge(bytes);
      return Promise.all(contents.map((content) => upload(blobKey(tenant(), content.sha256), content)));
    },
    read: async (sha256) => {
      const found = await objects.get(blobKey(tenant(), sha256));
      if (found !== undefined && createHash('sha256').update(found.body).digest('hex') === sha256) return found.body;
      const what = found === undefined ? 'is missing from' : 'is damaged in';
      throw new HcaFault('HcaCorrupt', { message: `the content ${sha256} ${what} the snapshot store` });
    },
  };
};

const blobKey = (tenant: string, sha256: string): string => `${PREFIXES.workspaces}${tenant}/blobs/${sha256}`;

/** What was seen this long ago is believed to be there still: it has days to live. */
const BELIEVED_MS = 600_000;
const RESEND_MS = CONTENT_DAYS.resend * 86_400_000;
/** Some 10 MB. */
const REMEMBERED = 100_000;

/** Sizes of contents, null for one that is not there; a tree whose content was just looked for is stored without looking again. */
const knownSizes = (objects: Objects, clock: Clock) => {
  const known = new Map<string, { bytes: number; at: number }>();
  const note = (key: string, bytes: number): void => {
    if (known.size >= REMEMBERED) known.clear();
    known.set(key, { bytes, at: clock.now() });
  };
  const sizeOf = async (key: string): Promise<number | null> => {
    const before = known.get(key);
    if (before !== undefined && clock.now() - before.at < BELIEVED_MS) return before.bytes;
    const found = await objects.head(key);
    if (found === undefined || clock.now() - found.modified > RESEND_MS) return null;
    note(key, found.bytes);
    return found.bytes;
  };
  return {
    note,
    of: async (tenant: string, hashes: readonly string[]): Promise<Map<string, number | null>> => {
      const sizes = await atOnce(WIDTH, hashes, (sha256) => sizeOf(blobKey(tenant, sha256)));
      return new Map(hashes.map((sha256, at) => [sha256, sizes[at] ?? null]));
    },
  };
};

function refuseLarge(bytes: number): void {
  if (bytes <= MOST) return;
  throw new HcaFault('HcaTooLarge', {
    message: `a file of ${bytes} bytes, at most ${MOST} are stored`,
    field: 'content',
    remedy: 'leave it out of the workspace: list it in .gitignore',
  });
}
