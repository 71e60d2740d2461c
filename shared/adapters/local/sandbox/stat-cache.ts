// Turns found files into tree entries, and hashes again only what may have changed since the last time.
import { readFileSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { FileMode, TreeEntry } from '#shared/contracts/workspace.ts';
import type { BlobStore } from './blob-store.ts';
import { Breath } from './breath.ts';
import type { FoundFile } from './scan.ts';
import { writeAtomic } from './write-atomic.ts';

const Known = z.tuple([z.string(), z.string()]).readonly();
type Known = z.infer<typeof Known>;

type Hashed = { entries: TreeEntry[]; unreadable: string[] };
type Hashing = { blobs: BlobStore; rewrite?: (link: string) => string };

/**
 * A file changed within this time before it was hashed could change again without its times moving (clock ticks of file
 * systems are a few milliseconds), so its hash is not remembered.
 */
const RACY_MS = 100;

const BREATH_BYTES = 4_000_000;

export class StatCache {
  readonly #file: string;
  #known: Map<string, Known>;

  constructor(file: string) {
    this.#file = file;
    this.#known = load(file);
  }

  /** Entries with their content stored; `rewrite` maps the text of a link before it is stored. Unreadable files are left out and named. */
  async entries(root: string, found: readonly FoundFile[], options: Hashing): Promise<Hashed> {
    const outcome: Hashed = { entries: [], unreadable: [] };
    const fresh = new Map<string, Known>();
    const breath = new Breath(BREATH_BYTES);
    for (const file of found) {
      await breath.spend(this.#isKnown(file) ? 0 : file.stat.size);
      const entry = this.#hash(root, file, options);
      if (entry === null) outcome.unreadable.push(file.path);
      else outcome.entries.push(entry);
      if (entry !== null && this.#stays(file)) fresh.set(file.path, [fingerprint(file.stat), entry.sha256]);
    }
    this.#known = fresh;
    return outcome;
  }

  /** Notes the content of a file that was just written on purpose, with times that no later write can repeat. */
  note(path: string, stat: Stats, sha256: string): void {
    this.#known.set(path, [fingerprint(stat), sha256]);
  }

  save(): void {
    writeAtomic(this.#file, JSON.stringify(Object.fromEntries(this.#known)));
  }

  /** Null for a file that cannot be read. */
  #hash(root: string, file: FoundFile, { blobs, rewrite }: Hashing): TreeEntry | null {
    const { path, mode, stat } = file;
    const known = this.#isKnown(file) ? this.#known.get(path) : undefined;
    if (known !== undefined && blobs.touch(known[1])) return { path, mode, sha256: known[1], bytes: stat.size };
    const content = contentOf(join(root, path), mode, rewrite);
    return content === null ? null : { path, mode, sha256: blobs.put(content), bytes: content.length };
  }

  #stays(file: FoundFile): boolean {
    return this.#isKnown(file) || Date.now() - file.stat.ctimeMs > RACY_MS;
  }

  /** A link is read every time: its text may be rewritten, and reading it costs no more than its stat. */
  #isKnown({ path, mode, stat }: FoundFile): boolean {
    return mode !== 'link' && this.#known.get(path)?.[0] === fingerprint(stat);
  }
}

function fingerprint(stat: Stats): string {
  return `${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}:${stat.ino}`;
}

function contentOf(path: string, mode: FileMode, rewrite?: (link: string) => string): Uint8Array | null {
  try {
    if (mode !== 'link') return readFileSync(path);
    const text = readlinkSync(path);
    return Buffer.from(rewrite === undefined ? text : rewrite(text));
  } catch {
    return null;
  }
}

function load(file: string): Map<string, Known> {
  try {
    return new Map(Object.entries(z.record(z.string(), Known).parse(JSON.parse(readFileSync(file, 'utf8')))));
  } catch {
    return new Map();
  }
}
