// Port: a session on a copy of a workspace in which tools run; the shape of the OpenHands agent-server (architecture 9).
import type { Confinement } from '#shared/contracts/evidence.ts';
import type { ChangeSet, TreeEntry, TreeId } from '#shared/contracts/workspace.ts';

/** `workspace` is the absolute path of the original; `changes` are laid over `tree` before anything runs. */
export type SessionRequest = {
  id: string;
  tree: TreeId;
  workspace: string;
  changes?: ChangeSet;
  network: boolean;
  memory_bytes?: number;
};

/**
 * `tree` is what the session holds when it is opened: the base with the changes. `dependencies`: what became of what the workspace depends on, where the
 * session does not simply see the original's.
 */
export type SessionOpened = { tree: TreeId; confinement: Confinement; reentered: boolean; dependencies?: string };

/** `command`: argv, or one string for `/bin/sh -c`. `cwd` is relative to the workspace. `output_bytes` bounds each stream. */
export type RunRequest = {
  command: string | readonly string[];
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  stdin?: string;
  timeout_ms: number;
  output_bytes: number;
};

/** Hashes and byte counts are over everything the command wrote, the texts are head and tail within `output_bytes`. */
export type RunOutcome = {
  exit_code: number | null;
  signal: string | null;
  timed_out: boolean;
  interrupted: boolean;
  stdout: string;
  stderr: string;
  stdout_sha256: string;
  stderr_sha256: string;
  stdout_bytes: number;
  stderr_bytes: number;
  truncated: boolean;
  duration_ms: number;
  started_at: string;
  confinement: Confinement;
};

/** A process inside the session that speaks over its own pipes (a foreign stdio MCP server). */
export type SessionProcess = {
  stdin: WritableStream<Uint8Array>;
  stdout: ReadableStream<Uint8Array>;
  stderr: ReadableStream<Uint8Array>;
  exited: Promise<{ exit_code: number | null; signal: string | null }>;
  kill(): void;
};

export interface Sandbox {
  /** Idempotent by id: a live or left-over session of this id is entered again with what it holds. @throws HcaFault HcaNotFound, HcaBadInput */
  open(request: SessionRequest): Promise<SessionOpened>;
  /** A command that fails is an outcome, not a fault. @throws HcaFault HcaNotFound for a session that is not open. */
  run(id: string, request: RunRequest): Promise<RunOutcome>;
  /** Starts a long-lived process in the session; it dies with the session. */
  spawn(
    id: string,
    request: { command: readonly string[]; env?: Readonly<Record<string, string>> },
  ): Promise<SessionProcess>;
  /** Null when there is no such file. Paths are relative; one that leads out of the session is HcaBadInput naming `path`. */
  read(id: string, path: string): Promise<Uint8Array | null>;
  write(id: string, path: string, content: Uint8Array | string): Promise<void>;
  /** True when something was there. */
  remove(id: string, path: string): Promise<boolean>;
  /** Entries of the session's files below `path`, dependency folders left out. */
  list(id: string, path?: string): Promise<TreeEntry[]>;
  snapshot(id: string): Promise<TreeId>;
  restore(id: string, tree: TreeId): Promise<void>;
  /** What the session changed against the tree it was opened on. */
  archive(id: string): Promise<ChangeSet>;
  /** Kills whatever runs in the session; the session stays. Interrupting what is not there does nothing. */
  interrupt(id: string): Promise<void>;
  /** Kills and deletes; closing what is not there does nothing. */
  close(id: string): Promise<void>;
  /** Ends every session that is not in `alive`, processes of a dead host included; returns the ids it ended. */
  sweep(alive: ReadonlySet<string>): Promise<string[]>;
}
