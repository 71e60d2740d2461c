// Three-way merge of change sets that started from one tree (architecture 7, Collect): never last-writer-wins.
import { mergeDiff3 } from 'node-diff3';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { ChangeSet, Conflict, FileChange, FileMode, FileState } from '#shared/contracts/workspace.ts';
import { changeSet, fileState, sameState } from '#shared/domain/change-set.ts';

export type MergeOutcome = { merged: ChangeSet } | { conflicts: Conflict[] };

/**
 * Merges change sets of one base; the order of the sets does not matter. `started` is the change set that every side
 * already had laid over the base when it began (an earlier wave); without it the sides began on the base itself.
 * @throws HcaFault HcaBadInput when there is no set or the bases differ.
 */
export function mergeChanges(sets: readonly ChangeSet[], started?: ChangeSet): MergeOutcome {
  const base = commonBase(started === undefined ? sets : [started, ...sets]);
  const files: FileChange[] = [];
  const conflicts: Conflict[] = [];
  for (const [path, before] of befores(sets, started)) {
    const origin = stateIn(started, path, before);
    const after = mergeStates(
      origin,
      sets.map((set) => stateIn(set, path, before)),
    );
    if ('conflict' in after) conflicts.push({ path, ...after.conflict });
    else files.push({ path, before, after: after.state });
  }
  conflicts.push(...folderConflicts(files));
  return conflicts.length > 0 ? { conflicts } : { merged: changeSet(base, files) };
}

export type StateOutcome = { state: FileState | null } | { conflict: Omit<Conflict, 'path'> };

/** Merges the versions of one file that all descend from `origin`. Sides that changed nothing do not count. */
export function mergeStates(origin: FileState | null, sides: readonly (FileState | null)[]): StateOutcome {
  const changed = distinct(sides.filter((side) => !sameState(side, origin)));
  const [first, ...others] = changed;
  if (first === undefined) return { state: origin };
  let merged = first;
  for (const other of others) {
    const next = mergeTwo(origin, merged, other);
    if (typeof next === 'string') return { conflict: { reason: next, sides: changed } };
    merged = next;
  }
  return { state: merged };
}

function commonBase(sets: readonly ChangeSet[]): string {
  const bases = new Set(sets.map((set) => set.base));
  const [base] = bases;
  if (base === undefined || bases.size > 1) {
    const message = `change sets can be merged only on one base, these have ${bases.size}`;
    throw new HcaFault('HcaBadInput', { message, field: 'base' });
  }
  return base;
}

function befores(sets: readonly ChangeSet[], started: ChangeSet | undefined): Map<string, FileState | null> {
  const all = started === undefined ? sets : [...sets, started];
  return new Map(all.flatMap((set) => set.files.map((file) => [file.path, file.before] as const)));
}

/** What a side holds at a path: its own change, or what the base has. */
function stateIn(set: ChangeSet | undefined, path: string, before: FileState | null): FileState | null {
  const change = set?.files.find((file) => file.path === path);
  return change === undefined ? before : change.after;
}

/** Each different state once, in an order of their own, so that the order of the sides cannot matter. */
function distinct(states: readonly (FileState | null)[]): (FileState | null)[] {
  const byKey = new Map(states.map((state) => [state === null ? '' : `${state.sha256}${state.mode}`, state]));
  return [...byKey.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, state]) => state);
}

function mergeTwo(origin: FileState | null, left: FileState | null, right: FileState | null): FileState | string {
  if (left === null || right === null) return 'one side deletes the file, another changes it';
  if (origin === null) return 'two sides add the file with different content';
  const mode = pick(origin.mode, left.mode, right.mode);
  if (mode === null) return 'the sides set different modes';
  if (left.sha256 === right.sha256 || right.sha256 === origin.sha256) return { ...left, mode };
  if (left.sha256 === origin.sha256) return { ...right, mode };
  return mergeText(origin, { left, right, mode });
}

function pick(origin: FileMode, left: FileMode, right: FileMode): FileMode | null {
  if (left === right || right === origin) return left;
  return left === origin ? right : null;
}

type TextSides = { left: FileState; right: FileState; mode: FileMode };

function mergeText(origin: FileState, { left, right, mode }: TextSides): FileState | string {
  if (mode === 'link' || origin.text === undefined) return 'the sides change a file that cannot be merged by lines';
  if (left.text === undefined || right.text === undefined) return 'a side turns the file into binary';
  const outcome = mergeDiff3(left.text.split('\n'), origin.text.split('\n'), right.text.split('\n'), {
    excludeFalseConflicts: true,
  });
  if (outcome.conflict) return 'the sides change the same lines';
  const text: string = outcome.result.join('\n');
  return fileState(new TextEncoder().encode(text), mode);
}

/** One side makes a file where another makes a folder. */
function folderConflicts(files: readonly FileChange[]): Conflict[] {
  const present = files.filter((file) => file.after !== null);
  const paths = new Map(present.map((file) => [file.path, file.after]));
  return present.flatMap((file) => {
    const folder = parents(file.path).find((parent) => paths.has(parent));
    if (folder === undefined) return [];
    const sides = [paths.get(folder) ?? null, file.after];
    return [{ path: folder, reason: `one side makes a file of it, another makes ${file.path}`, sides }];
  });
}

function parents(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}
