// Two children changed the same lines: one is asked to do its part again on top of the other; a second conflict escalates (requirements section 8).
import { delegationId } from '#shared/contracts/ids.ts';
import type { ChildPlan } from '#shared/contracts/plan.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { moveTask } from '#shared/domain/lifecycle.ts';
import { resolveConflict as rule } from '#shared/domain/needs.ts';
import { nextWave } from '../loop/wave.ts';
import type { Change } from '../step.ts';

/** The side done again starts from the other's result; its own result then holds both. */
export const resolveConflict = (record: TaskRecord, now: number): Change<'arbitrate'> => {
  const wave = record.plan?.waves[record.wave] ?? [];
  const redone = record.redo.length > 0;
  const again: ChildPlan[] = redone ? [] : rule(wave, record.plan?.waves.flat() ?? []);
  if (again.length === 0) return hopeless(record);
  const delegating: TaskRecord = { ...record, state: moveTask(record.state, 'delegating'), redo: again };
  const next = nextWave(delegating, now);
  return {
    record: delegating,
    also: next.also,
    entry: {
      text: `conflict: ${again.map(({ holon }) => holon).join(', ')} does its part again on top of the others`,
      data: { again: next.ids, sides: wave.map(({ slot }) => delegationId(record.id, record.iteration, slot)) },
    },
    output: { word: 'wave', wave: next.ids },
  };
};

const hopeless = (record: TaskRecord): Change<'arbitrate'> => ({
  record: {
    ...record,
    failing: { reason: 'conflict', detail: 'two results change the same lines, also when done one after the other' },
  },
  entry: { text: 'the conflict remains: escalated with both sides as evidence', data: {} },
  output: { word: 'escalate', wave: [] },
});
