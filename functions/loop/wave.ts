// The children of a coordinator's wave: which slots run now, and the delegation records that let them run.
import type { Effect } from '#shared/contracts/effects.ts';
import { delegationId } from '#shared/contracts/ids.ts';
import type { ChildPlan } from '#shared/contracts/plan.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { childConstraints, childDeadline } from '#shared/domain/planning.ts';
import { newDelegation } from '#shared/domain/records.ts';

/** Slots of the wave that is running: what is done again after a conflict comes first. */
export const slotsOf = (record: TaskRecord): number[] => childrenOf(record).map(({ slot }) => slot);

/** Ids and records of the wave's delegations; put if absent, so that a repeat makes none twice. */
export const nextWave = (record: TaskRecord, now: number): { ids: string[]; also: Effect[] } => {
  const children = childrenOf(record);
  const ids = children.map(({ slot }) => delegationId(record.id, record.iteration, slot));
  return { ids, also: children.map((child) => ({ do: 'put', record: delegationOf(record, child, now) })) };
};

const childrenOf = (record: TaskRecord): ChildPlan[] =>
  record.redo.length > 0 ? record.redo : (record.plan?.waves[record.wave] ?? []);

const wavesLeft = (record: TaskRecord): number => Math.max(1, (record.plan?.waves.length ?? 1) - record.wave);

const delegationOf = (record: TaskRecord, child: ChildPlan, now: number) => {
  const criteria = (record.plan?.criteria ?? []).filter(({ id }) => child.criteria.includes(id));
  return newDelegation(
    { tenant: record.tenant, id: delegationId(record.id, record.iteration, child.slot), holon: record.holon, now },
    record.id,
    {
      plan: child,
      spec: {
        goal: child.goal,
        family: child.family,
        criteria,
        workspace: record.spec.workspace,
        start_from: record.artifact ?? record.spec.start_from,
        ...(record.spec.harness === undefined ? {} : { harness: record.spec.harness }),
      },
      constraints: childConstraints(record.constraints, {
        budget: child.budget,
        deadline: childDeadline(record.constraints.deadline, now, wavesLeft(record)),
      }),
    },
  );
};
