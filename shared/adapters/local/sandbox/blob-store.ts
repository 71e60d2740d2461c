// Content-addressed files below one folder: the bytes behind every tree, each stored once under its SHA-256.
import { createHash, randomUUID } from 'node:crypto';
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HcaFault } from '#shared/contracts/errors.ts';

export class BlobStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
    mkdirSync(root, { recursive: true });
  }

  /** Stores the bytes and returns their SHA-256. Written aside and renamed, so a crash leaves no half blob. */
  put(bytes: Uint8Array): string {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const path = this.#pathOf(sha256);
    if (!this.touch(sha256)) {
      mkdirSync(dirname(path), { recursive: true });
      this.#write(path, bytes);
    }
    return sha256;
  }

  /** Marks a blob as used now, so that a collection that runs meanwhile spares it; false when it is not there. */
  touch(sha256: string): boolean {
    try {
      const now = new Date();
      utimesSync(this.#pathOf(sha256), now, now);
      return true;
    } catch {
      return false;
    }
  }

  /** Bytes of a blob, which is then marked as used now; null when it is not there. */
  size(sha256: string): number | null {
    return this.touch(sha256) ? statSync(this.#pathOf(sha256)).size : null;
  }

  /** Deletes blobs that are not in `keep` and were not used since `before` (milliseconds of the epoch). Returns their bytes. */
  collect(keep: ReadonlySet<string>, before: number): { blobs: number; bytes: number } {
    const freed = { blobs: 0, bytes: 0 };
    for (const path of this.#all().filter((candidate) => !keep.has(basename(candidate)))) {
      const { mtimeMs, size } = statSync(path);
      if (mtimeMs >= before) continue;
      rmSync(path);
      freed.blobs += 1;
      freed.bytes += size;
    }
    return freed;
  }

  /** @throws HcaFault HcaCorrupt when a stored tree names a blob that is gone. */
  read(sha256: string): Buffer {
    try {
      return readFileSync(this.#pathOf(sha256));
    } catch (cause) {
      throw this.#lost(sha256, cause);
    }
  }

  /** A copy of its own (a reflink where the file system can): tools write in place, so sharing an inode would corrupt the store. */
  copyTo(sha256: string, target: string): void {
    try {
      copyFileSync(this.#pathOf(sha256), target, constants.COPYFILE_FICLONE);
    } catch (cause) {
      if (!existsSync(this.#pathOf(sha256))) throw this.#lost(sha256, cause);
      throw cause;
    }
  }

  /** Half a blob on a full disk would keep it full. */
  #write(path: string, bytes: Uint8Array): void {
    const aside = `${path}.${randomUUID()}`;
    try {
      writeFileSync(aside, bytes);
      renameSync(aside, path);
    } catch (caught) {
      rmSync(aside, { force: true });
      throw caught;
    }
  }

  #all(): string[] {
    const shelves = readdirSync(this.#root).map((shelf) => join(this.#root, shelf));
    return shelves.flatMap((shelf) => readdirSync(shelf).map((name) => join(shelf, name)));
  }

  #pathOf(sha256: string): string {
    return join(this.#root, sha256.slice(0, 2), sha256);
  }

  #lost(sha256: string, cause: unknown): HcaFault {
    return new HcaFault('HcaCorrupt', { message: `the content ${sha256} is missing from the snapshot store`, cause });
  }
}
