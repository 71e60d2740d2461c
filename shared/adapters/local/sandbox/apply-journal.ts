// The write-ahead journal of applies: what will be written and what was there, durable before the first write.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';
import { FileChange, type FileState } from '#shared/contracts/workspace.ts';
import { sameState, stateBytes } from '#shared/domain/change-set.ts';
import { currentState } from './current-state.ts';
import { resolveInside } from './inside.ts';
import { asideOf, writeAtomic } from './write-atomic.ts';

const Entry = z.strictObject({ root: z.string(), writes: z.array(FileChange).readonly() });
type Entry = z.infer<typeof Entry>;

export class ApplyJournal {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Writes all, or undoes what it wrote and throws. @throws HcaFault HcaUnavailable */
  commit(root: string, writes: readonly FileChange[]): void {
    this.finish(root);
    if (writes.length === 0) return;
    const file = this.#fileOf(root);
    writeAtomic(file, JSON.stringify({ root, writes } satisfies Entry), { durable: true });
    try {
      for (const write of inOrder(writes)) put(root, write.path, write.after);
    } catch (cause) {
      undo(root, writes);
      rmSync(file);
      const why = cause instanceof Error ? cause.message : String(cause);
      const message = `the change could not be written to ${root} and was undone: ${why}`;
      const remedy =
        'make the folder and the files writable and see that the disk has room, or take the patch from hca diff';
      throw new HcaFault('HcaUnavailable', { message, field: 'workspace', remedy, retryable: false, cause });
    }
    rmSync(file);
  }

  /** Finishes a cut-off apply of this folder when every file is still as before or after; else undoes its own part. True when there was one. */
  finish(root: string): boolean {
    const file = this.#fileOf(root);
    if (!existsSync(file)) return false;
    const { writes } = Entry.parse(JSON.parse(readFileSync(file, 'utf8')));
    if (existsSync(root)) repair(root, writes);
    rmSync(file);
    return true;
  }

  /** Repairs every folder with a cut-off apply and returns their paths. */
  finishAll(): string[] {
    const files = readdirSync(this.#folder).filter((name) => name.endsWith('.json'));
    const roots = files.map((name) => Entry.parse(JSON.parse(readFileSync(join(this.#folder, name), 'utf8'))).root);
    return roots.filter((root) => this.finish(root));
  }

  #fileOf(root: string): string {
    return join(this.#folder, `${createHash('sha256').update(root).digest('hex').slice(0, 32)}.json`);
  }
}

function repair(root: string, writes: readonly FileChange[]): void {
  const untouched = writes.every(({ path, before, after }) => {
    const now = currentState(root, path);
    return sameState(now, before) || sameState(now, after);
  });
  if (!untouched) undo(root, writes);
  else for (const write of inOrder(writes)) put(root, write.path, write.after);
}

/** Sets back only what still is as the apply wrote it; what a person changed since stays theirs. */
function undo(root: string, writes: readonly FileChange[]): void {
  const written = writes.filter((write) => sameState(currentState(root, write.path), write.after));
  for (const write of inOrder(written.map(({ path, before, after }) => ({ path, before: after, after: before })))) {
    put(root, write.path, write.after);
  }
}

/** Deletions first, deepest first: a file may have to make way for a folder, or a folder for a file. */
function inOrder(writes: readonly FileChange[]): FileChange[] {
  const deletions = writes.filter((write) => write.after === null);
  const others = writes.filter((write) => write.after !== null);
  return [...deletions.toSorted((a, b) => (a.path < b.path ? 1 : -1)), ...others];
}

function put(root: string, path: string, state: FileState | null): void {
  const at = resolveInside({ root, home: root }, path, 'keep');
  if (state === null) {
    rmSync(at, { force: true });
    removeEmptyFolders(root, dirname(at));
    return;
  }
  mkdirSync(dirname(at), { recursive: true });
  if (state.mode === 'link') replaceLink(at, state.text ?? '');
  else writeAtomic(at, stateBytes(state), { mode: state.mode === 'exec' ? 0o755 : 0o644 });
}

function replaceLink(at: string, target: string): void {
  const aside = asideOf(at);
  symlinkSync(target, aside);
  renameSync(aside, at);
}

function removeEmptyFolders(root: string, folder: string): void {
  for (let at = folder; at !== root && !relative(root, at).startsWith('..'); at = dirname(at)) {
    try {
      rmdirSync(at);
    } catch {
      return;
    }
  }
}
