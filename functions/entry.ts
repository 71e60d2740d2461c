// The journal entry of a record's version, from what the record says of its last change (architecture section 3).
import type { Entry } from '#shared/contracts/journal.ts';
import type { AnyRecord, Last } from '#shared/contracts/task.ts';

/** Journal entry of a record's version; `told`: its messages were sent. */
export const entryOf = (record: AnyRecord, last: Last, told: boolean): Entry => ({
  ...headOf(record),
  ...last.entry,
  version: record.version,
  note: null,
  kind: record.kind,
  step: last.step,
  told: told ? last.tell.map(({ id, method, to }) => ({ id, method, to })) : [],
  caused_by: last.caused_by,
  at: last.saved_at,
});

/** What every entry says of its record. */
export const headOf = (record: AnyRecord) => ({
  tenant: record.tenant,
  root: record.root,
  record: record.id,
  holon: record.holon,
  state: record.state,
  iteration: record.kind === 'delegation' ? 0 : record.iteration,
});
