// The delegations of the wave that has just run, and what became of their children: those that completed are settled here, by the rule of
// Settle, from what lies on their waits; those that did not were settled and arbitrated in the wave (docs/decisions/0047).
import type { Effect } from '#shared/contracts/effects.ts';
import { delegationId } from '#shared/contracts/ids.ts';
import type { DelegationRecord, TaskRecord } from '#shared/contracts/task.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { childWait, settledBy } from '../loop/child-result.ts';
import { slotsOf } from '../loop/wave.ts';

/** `over` in the order of their slots; `open`: nothing that completes them lies on their waits, and nobody gave them up. */
export interface Wave {
  over: DelegationRecord[];
  open: DelegationRecord[];
  settling: Effect[];
}

/** Every delegation of the wave: those planned, or the one that is done again after a conflict. */
export const waveOf = async (record: TaskRecord, caused_by: string, ports: StepPorts<'collect'>): Promise<Wave> => {
  const wave: Wave = { over: [], open: [], settling: [] };
  for (const slot of slotsOf(record)) {
    const one = await ports.tasks.load(record.tenant, delegationId(record.id, record.iteration, slot));
    if (one?.kind !== 'delegation') continue;
    if (one.state === 'done' || one.state === 'failed') wave.over.push(one);
    else await settle(wave, { one, caused_by }, ports);
  }
  return wave;
};

const settle = async (
  wave: Wave,
  { one, caused_by }: { one: DelegationRecord; caused_by: string },
  ports: StepPorts<'collect'>,
): Promise<void> => {
  const at = ports.clock.now();
  const wait = await ports.waits.read(one.tenant, childWait(one));
  const settled = settledBy(one, wait?.outcome, at);
  if (settled === null) {
    wave.open.push(one);
    return;
  }
  const { id: delegation, version } = one;
  wave.over.push(settled.record);
  wave.settling.push({ do: 'settle', delegation, version, entry: settled.entry, caused_by, at });
};
