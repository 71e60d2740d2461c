// What a saved change says is to follow: its effects, its messages, its journal entry, in this order (architecture section 2, rule 1).
import type { Entry } from '#shared/contracts/journal.ts';
import type { AnyRecord, Last } from '#shared/contracts/task.ts';
import { type Committing, carryOut } from './effects.ts';

/** Does what a record's last change asks; harmless when all of it was done before. So the entry proves the rest. */
export const carryThrough = async (record: AnyRecord, ports: Committing): Promise<void> => {
  const { last } = record;
  if (last === null) return;
  const granted = await carryOut(record.tenant, last.also, ports);
  if (granted && last.tell.length > 0) await ports.messages.publish(last.tell);
  await ports.journal.append(entryOf(record, last, granted));
};

/** Journal entry of a record's version. */
const entryOf = (record: AnyRecord, last: Last, told: boolean): Entry => ({
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
