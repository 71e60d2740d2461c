// The workspaces port on files: snapshots in a content-addressed store of our own, applies with a journal. No git needed.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ChangeSet, Snapshot, TreeEntry, TreeId } from '#shared/contracts/workspace.ts';
import { TREE_LIMITS } from '#shared/domain/tree.ts';
import { checkedHashes, checkTree, contentMissing } from '#shared/domain/tree-faults.ts';
import type { ApplyMode, ApplyOutcome, Upload, WorkspaceStore, Workspaces } from '#shared/ports/workspaces.ts';
import { applyChanges } from './sandbox/apply-changes.ts';
import { ApplyJournal } from './sandbox/apply-journal.ts';
import { StatCache } from './sandbox/stat-cache.ts';
import { realFolder, type SnapshotLimits, takeSnapshot } from './sandbox/take-snapshot.ts';
import { TreeStore } from './sandbox/tree-store.ts';

/** A snapshot that is being taken has written content that no tree names yet: nothing this young is collected. */
const SPARED_MS = 3_600_000;

export class FilesWorkspaces implements Workspaces, WorkspaceStore {
  readonly trees: TreeStore;
  readonly #root: string;
  readonly #limits: SnapshotLimits;
  readonly #journal: ApplyJournal;

  /** `root` is a folder of hca's own home, never inside a workspace. */
  constructor(root: string, options: { trees?: TreeStore; limits?: Partial<SnapshotLimits> } = {}) {
    this.#root = root;
    this.trees = options.trees ?? new TreeStore(root);
    this.#limits = { ...TREE_LIMITS, ...options.limits };
    this.#journal = new ApplyJournal(join(root, 'applies'));
  }

  async take(path: string, options: { include?: readonly string[] } = {}): Promise<Snapshot> {
    const root = realFolder(path);
    const name = createHash('sha256').update(root).digest('hex').slice(0, 32);
    const stats = new StatCache(join(this.#root, 'stats', `${name}.json`));
    return takeSnapshot({ root, include: options.include ?? [], limits: this.#limits }, this.trees, stats);
  }

  async list(tree: TreeId): Promise<TreeEntry[]> {
    return this.trees.entries(tree);
  }

  async read(tree: TreeId, path: string): Promise<Uint8Array | null> {
    const entry = this.trees.entries(tree).find((candidate) => candidate.path === path);
    return entry === undefined ? null : this.trees.blobs.read(entry.sha256);
  }

  async missing(sha256: readonly string[]): Promise<string[]> {
    return checkedHashes(sha256).filter((hash) => !this.trees.blobs.touch(hash));
  }

  async putBlob(bytes: Uint8Array): Promise<string> {
    return this.trees.blobs.put(bytes);
  }

  /** Content comes through this process. */
  async uploads(): Promise<Upload[]> {
    return [];
  }

  async putTree(entries: readonly TreeEntry[]): Promise<TreeId> {
    checkTree(entries);
    const lacking = entries.filter(({ sha256, bytes }) => this.trees.blobs.size(sha256) !== bytes);
    if (lacking.length > 0) throw contentMissing(lacking);
    return this.trees.put(entries);
  }

  async apply(path: string, changes: ChangeSet, mode: ApplyMode): Promise<ApplyOutcome> {
    const root = realFolder(path);
    this.#journal.finish(root);
    return applyChanges(root, changes, { mode, journal: this.#journal });
  }

  async collect(keep: ReadonlySet<TreeId>): Promise<{ trees: number; blobs: number; bytes: number }> {
    return this.trees.collect(keep, Date.now() - SPARED_MS);
  }

  async recover(): Promise<string[]> {
    return this.#journal.finishAll();
  }
}
