// Manifests of snapshots, each stored under its own SHA-256; with the blobs they are all there is to a snapshot.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';
import { type ChangeSet, type FileState, TreeEntry, TreeId } from '#shared/contracts/workspace.ts';
import { changeSet, fileState, stateBytes } from '#shared/domain/change-set.ts';
import { manifestOf } from '#shared/domain/tree.ts';
import { noTree } from '#shared/domain/tree-faults.ts';
import { BlobStore } from './blob-store.ts';
import { writeAtomic } from './write-atomic.ts';

export class TreeStore {
  readonly blobs: BlobStore;
  readonly #root: string;
  readonly #recent = new Map<TreeId, TreeEntry[]>();

  constructor(root: string) {
    this.#root = join(root, 'trees');
    this.blobs = new BlobStore(join(root, 'blobs'));
    mkdirSync(this.#root, { recursive: true });
  }

  /** Stores the manifest and returns its id. */
  put(entries: readonly TreeEntry[]): TreeId {
    const { manifest, sorted } = manifestOf(entries);
    const tree = createHash('sha256').update(manifest).digest('hex');
    if (!this.#touch(tree)) writeAtomic(join(this.#root, tree), manifest);
    this.#remember(tree, sorted);
    return tree;
  }

  /** Entries sorted by path. @throws HcaFault HcaNotFound */
  entries(tree: TreeId): TreeEntry[] {
    const known = this.#recent.get(tree);
    if (known !== undefined) return known;
    const entries = z.array(TreeEntry).parse(JSON.parse(this.#manifest(tree)));
    this.#remember(tree, entries);
    return entries;
  }

  /** The state of one entry with its content. */
  state(entry: TreeEntry | undefined): FileState | null {
    return entry === undefined ? null : fileState(this.blobs.read(entry.sha256), entry.mode, entry.sha256);
  }

  /** What turns one tree into the other. */
  difference(base: TreeId, now: TreeId): ChangeSet {
    const [before, after] = [this.#byPath(base), this.#byPath(now)];
    const paths = [...new Set([...before.keys(), ...after.keys()])].filter((path) => {
      const [old, fresh] = [before.get(path), after.get(path)];
      return old?.sha256 !== fresh?.sha256 || old?.mode !== fresh?.mode;
    });
    const files = paths.map((path) => ({
      path,
      before: this.state(before.get(path)),
      after: this.state(after.get(path)),
    }));
    return changeSet(base, files);
  }

  /** The tree with the changes laid over it. @throws HcaFault HcaBadInput when the changes have another base. */
  withChanges(tree: TreeId, changes: ChangeSet): TreeId {
    if (changes.base !== tree) {
      const message = `the changes are against tree ${changes.base}, not ${tree}`;
      throw new HcaFault('HcaBadInput', { message, field: 'changes' });
    }
    const entries = this.#byPath(tree);
    for (const { path, after } of changes.files) {
      if (after === null) entries.delete(path);
      else entries.set(path, this.#store(path, after));
    }
    return this.put([...entries.values()]);
  }

  /** Deletes every tree that is not in `keep`, then the content that no kept tree names; what was used since `before` stays. */
  collect(keep: ReadonlySet<TreeId>, before: number): { trees: number; blobs: number; bytes: number } {
    const stored = readdirSync(this.#root).filter((name) => TreeId.safeParse(name).success);
    const over = stored.filter((tree) => !keep.has(tree) && statSync(join(this.#root, tree)).mtimeMs < before);
    const manifests = over.map((tree) => statSync(join(this.#root, tree)).size);
    for (const tree of over) rmSync(join(this.#root, tree));
    this.#recent.clear();
    const gone = new Set(over);
    const left = stored.filter((tree) => !gone.has(tree));
    const named = new Set(left.flatMap((tree) => this.entries(tree).map((entry) => entry.sha256)));
    const { blobs, bytes } = this.blobs.collect(named, before);
    return { trees: over.length, blobs, bytes: manifests.reduce((sum, size) => sum + size, bytes) };
  }

  /** Marks a known manifest as used now, so that a collection that runs meanwhile spares it. */
  #touch(tree: TreeId): boolean {
    if (!this.#recent.has(tree)) return false;
    const now = new Date();
    utimesSync(join(this.#root, tree), now, now);
    return true;
  }

  #store(path: string, state: FileState): TreeEntry {
    const bytes = stateBytes(state);
    return { path, mode: state.mode, sha256: this.blobs.put(bytes), bytes: bytes.length };
  }

  #byPath(tree: TreeId): Map<string, TreeEntry> {
    return new Map(this.entries(tree).map((entry) => [entry.path, entry]));
  }

  #manifest(tree: TreeId): string {
    try {
      return readFileSync(join(this.#root, TreeId.parse(tree)), 'utf8');
    } catch (cause) {
      throw noTree(tree, cause);
    }
  }

  /** A handful of manifests: a session, its base and its last snapshots are asked for again and again. */
  #remember(tree: TreeId, entries: TreeEntry[]): void {
    this.#recent.set(tree, entries);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > 16 && oldest !== undefined) this.#recent.delete(oldest);
  }
}
