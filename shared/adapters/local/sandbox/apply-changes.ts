// Writes a change set into a person's folder, all or nothing: every base is checked first, every write is an atomic
// rename, and a journal outside the folder lets the next start finish what a crash cut off.
import { HcaFault } from '#shared/contracts/errors.ts';
import type { ChangeSet, Conflict, FileChange, FileState } from '#shared/contracts/workspace.ts';
import { sameState } from '#shared/domain/change-set.ts';
import { mergeStates } from '#shared/domain/merge.ts';
import { isRepositoryName } from '#shared/domain/snapshot-rules.ts';
import type { ApplyMode, ApplyOutcome } from '#shared/ports/workspaces.ts';
import type { ApplyJournal } from './apply-journal.ts';
import { currentState, standsAsFile } from './current-state.ts';

/** @throws HcaFault HcaUnavailable when a write fails; the journal has then undone what was written. */
export function applyChanges(
  root: string,
  changes: ChangeSet,
  options: { mode: ApplyMode; journal: ApplyJournal },
): ApplyOutcome {
  const removed = new Set(changes.files.flatMap((change) => (change.after === null ? [change.path] : [])));
  const planned = changes.files.map((change) => plan(change, options.mode, tryCurrent(root, change.path, removed)));
  const conflicts = planned.flatMap((entry) => ('conflict' in entry ? [entry.conflict] : []));
  if (conflicts.length > 0) return { conflicts };
  const writes = planned.flatMap((entry) => ('write' in entry && entry.write !== null ? [entry.write] : []));
  if (options.mode !== 'check') options.journal.commit(root, writes);
  return { applied: changes.files.map((change) => change.path) };
}

type Planned = { conflict: Conflict } | { write: FileChange | null };

function plan(change: FileChange, mode: ApplyMode, now: FileState | null | string): Planned {
  const { path, before, after } = change;
  if (typeof now === 'string') return { conflict: { path, reason: now, sides: [before, after] } };
  if (sameState(now, after)) return { write: null };
  if (sameState(now, before)) return { write: { path, before: now, after } };
  if (mode !== '3way') {
    const reason = 'the file in the folder is not the one the change was made from';
    return { conflict: { path, reason, sides: [now, after] } };
  }
  const merged = mergeStates(before, [now, after]);
  if ('conflict' in merged) return { conflict: { path, reason: merged.conflict.reason, sides: [now, after] } };
  return { write: { path, before: now, after: merged.state } };
}

/** A path through a link that leads out, onto a folder, below a file or into a repository's own files is a conflict of that path, not a failure of the whole. */
function tryCurrent(root: string, path: string, removed: ReadonlySet<string>): FileState | null | string {
  // A change may come from a host elsewhere, and a hook is run by whoever commits next.
  if (path.split('/').some(isRepositoryName)) return "it belongs to a repository's own files";
  try {
    const blocked = parents(path).find((parent) => !removed.has(parent) && standsAsFile(root, parent));
    return blocked === undefined ? currentState(root, path) : `"${blocked}" is a file where the change needs a folder`;
  } catch (error) {
    if (error instanceof HcaFault) return error.message;
    throw error;
  }
}

function parents(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}
