// Port: snapshots of a person's folder, and changes written back to it only when that person applies them.
import type { ChangeSet, Conflict, Snapshot, TreeEntry, TreeId } from '#shared/contracts/workspace.ts';

/** `check` looks only; `write` needs every base to match; `3way` merges with what the folder holds now. */
export type ApplyMode = 'check' | 'write' | '3way';

/** Either all of `applied` is (or, for `check`, would be) in the folder, or nothing was touched and `conflicts` says why. */
export type ApplyOutcome = { applied: string[] } | { conflicts: Conflict[] };

export interface Workspaces {
  /**
   * Takes a snapshot of a folder without ever writing to it. `include` lists paths (globs) to take although a secret or ignore rule leaves them out.
   * @throws HcaFault HcaBadInput naming `workspace` and the remedy: missing, a file, unreadable, too many files or bytes.
   */
  take(path: string, options?: { include?: readonly string[] }): Promise<Snapshot>;
  /** Entries sorted by path. @throws HcaFault HcaNotFound for an unknown tree. */
  list(tree: TreeId): Promise<TreeEntry[]>;
  /** Bytes of one file (the target text of a link), or null when the tree has no such path. */
  read(tree: TreeId, path: string): Promise<Uint8Array | null>;
  /** All or nothing; an apply cut off by a crash is finished or undone by the next call on that folder, or by `recover`. */
  apply(path: string, changes: ChangeSet, mode: ApplyMode): Promise<ApplyOutcome>;
  /** Deletes snapshots that are not in `keep` and content that only they held, unless used within the last hour. */
  collect(keep: ReadonlySet<TreeId>): Promise<{ trees: number; blobs: number; bytes: number }>;
  /** Finishes or undoes every apply that a crash cut off; returns the folders it repaired. */
  recover(): Promise<string[]>;
}
