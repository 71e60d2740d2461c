// Ports: snapshots of a person's folder, changes written back to it only when that person applies them, and the content of snapshots handed
// over from another machine.
import type { ChangeSet, Conflict, Snapshot, TreeEntry, TreeId } from '#shared/contracts/workspace.ts';

/** `check` looks only; `write` needs every base to match; `3way` merges with what the folder holds now. */
export type ApplyMode = 'check' | 'write' | '3way';

/** Either all of `applied` is (or, for `check`, would be) in the folder, or nothing was touched and `conflicts` says why. */
export type ApplyOutcome = { applied: string[] } | { conflicts: Conflict[] };

export interface Workspaces {
  /**
   * Takes a snapshot of a folder without ever writing to it. `include` lists paths (globs) to take although a secret or ignore rule leaves them out.
   * @throws HcaFault HcaBadInput naming `workspace` and the remedy: missing, a file, unreadable, too many files or bytes, on another machine.
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

/** Where a content may be sent to directly: a PUT of exactly these bytes with these headers, for some minutes. */
export interface Upload {
  sha256: string;
  url: string;
  headers: Readonly<Record<string, string>>;
}

/** The content of snapshots, handed over piece by piece: what is there is not sent again, so an upload that broke off goes on where it was. */
export interface WorkspaceStore {
  /** Those of the hashes whose content is not there, each once. @throws HcaFault HcaBadInput for what is no hash */
  missing(sha256: readonly string[]): Promise<string[]>;
  /** Stores a content and gives its SHA-256; again is the same. @throws HcaFault HcaTooLarge */
  putBlob(bytes: Uint8Array): Promise<string>;
  /** Ways to send contents without passing them through here; none where there are none: then `putBlob` is the way. */
  uploads(contents: readonly Pick<TreeEntry, 'sha256' | 'bytes'>[]): Promise<Upload[]>;
  /** Stores a tree once all its content is there, with the sizes it says. @throws HcaFault HcaBadInput naming what is missing or wrong */
  putTree(entries: readonly TreeEntry[]): Promise<TreeId>;
}
