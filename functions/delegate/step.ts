// DELEGATE: takes the child's grant, puts its record, offers it the task, and waits on one rendezvous (L1-DEL, L2-NEG).
import type { Effect, WaitKey } from '#shared/contracts/effects.ts';
import { childId } from '#shared/contracts/ids.ts';
import type { DelegationRecord } from '#shared/contracts/task.ts';
import { moveDelegation } from '#shared/domain/lifecycle.ts';
import { machineFor } from '#shared/domain/machines.ts';
import { newTask } from '#shared/domain/records.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import type { Change, Step } from '../step.ts';

export const delegate: Step<'delegate'> = async (_input, record, ports) => {
  if (DECIDED.has(record.state)) return goOn(record);
  const child = childId(record.id, record.n);
  const wait: WaitKey = { task: record.task, on: child, offer: record.offer };
  const offered: DelegationRecord = { ...record, state: moveDelegation(record.state, 'offered'), child };
  const { spec, constraints, offer } = record;
  return {
    record: offered,
    also: [grant(offered, wait), ...(await birth(offered, ports))],
    entry: {
      text: `offers ${record.to} "${clip(spec.goal)}"`,
      data: { child, to: record.to, offer, family: spec.family, budget: constraints.budget },
    },
    tell: [{ method: 'hca/task/delegate', to: record.to, task: child, params: { offer, spec, constraints } }],
    output: { word: 'waiting' },
    wait,
  };
};

/** A new generation of the machine finds this child settled: its outcome, which lies on the wait, takes it on as it did before. */
const DECIDED: ReadonlySet<DelegationRecord['state']> = new Set(['settled', 'done', 'failed']);

const goOn = (record: DelegationRecord): Change<'delegate'> => ({
  record,
  entry: { text: `goes on as ${record.state}`, data: { child: record.child } },
  output: { word: 'waiting' },
  wait: { task: record.task, on: record.child, offer: record.offer },
});

/** The child's record is there before anybody can start it (pitfall 13). A counter only re-offers, so it is put with the first offer. */
const birth = async (record: DelegationRecord, ports: StepPorts<'delegate'>): Promise<Effect[]> => {
  if (record.offer > 1) return [];
  const card = await ports.holons.get(record.tenant, record.to);
  const child = newTask(
    { tenant: record.tenant, id: record.child, holon: record.to, now: ports.clock.now() },
    {
      from: record.holon,
      parent: { task: record.task, holon: record.holon },
      continues: previous(record),
      state: 'offered',
      machine: machineFor(card),
    },
    { spec: record.spec, constraints: record.constraints },
  );
  return [{ do: 'put', record: child }];
};

/** Keyed by child and offer: the second offer of a countered child adds what the counter asked beyond the first. */
const grant = (record: DelegationRecord, refused: WaitKey): Effect => ({
  do: 'grant',
  parent: record.task,
  child: record.child,
  key: `${record.child}#${record.offer}`,
  budget: record.constraints.budget,
  refused,
});

const previous = (record: DelegationRecord): string | null => record.tried.at(-1)?.child ?? null;

const clip = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}...` : text);
