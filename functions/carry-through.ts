// What a saved change says is to follow: its effects, its messages, its journal entry, in this order (architecture section 2, rule 1).
import { completionOf } from '#shared/contracts/completion.ts';
import type { AnyRecord, DelegationRecord } from '#shared/contracts/task.ts';
import { type Committing, carryOut } from './effects.ts';
import { entryOf } from './entry.ts';
import { type Settling, settledOf } from './settling.ts';

/** Does what a record's last change asks; harmless when all of it was done before. So the entry proves the rest. */
export const carryThrough = async (record: AnyRecord, ports: Committing): Promise<void> => {
  const { last, tenant } = record;
  if (last === null) return;
  const granted = await carryOut(tenant, last.also, { ...ports, settle: (effect) => settle(tenant, effect, ports) });
  if (granted && last.tell.length > 0) await ports.messages.publish(last.tell);
  await ports.journal.append(entryOf(record, last, granted));
};

/** If the journal lacks the entry of the loaded version, its change was cut off: what is left of it is done first (trace V3). */
export const rollForward = async (record: AnyRecord, ports: Committing): Promise<void> => {
  if (record.last === null || (await ports.journal.has(record.tenant, record.id, record.version))) return;
  await carryThrough(record, ports);
};

/**
 * Ends a delegation for its parent, on the version that Collect read; then what that change says is to follow. Somebody who changed it meanwhile has done
 * so as well, or will.
 */
const settle = async (tenant: string, effect: Settling, ports: Committing): Promise<void> => {
  const found = await ports.tasks.load(tenant, effect.delegation);
  if (found?.kind !== 'delegation') return;
  const settled = found.version === effect.version ? await save(found, effect, ports) : found;
  const { last } = settled;
  if (last?.step === 'settle' && last.caused_by === effect.caused_by) await carryThrough(settled, ports);
};

const save = async (found: DelegationRecord, effect: Settling, ports: Committing): Promise<DelegationRecord> => {
  const { tenant, task, child, offer } = found;
  const completion = completionOf((await ports.waits.read(tenant, { task, on: child, offer }))?.outcome);
  if (completion === null)
    throw new Error(`bug: ${effect.delegation} is to be settled, but ${child} has not completed`);
  await rollForward(found, ports);
  const settled = settledOf(found, effect, completion);
  await ports.tasks.save(settled, found.version);
  return settled;
};
