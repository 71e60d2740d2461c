// PLAN: queries lessons, writes criteria and plan, allocates the budget (L2-PLN-01 to L2-PLN-03, L3-KBQ-01).

import { delegationId } from '#shared/contracts/ids.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { moveTask } from '#shared/domain/lifecycle.ts';
import { machineFor } from '#shared/domain/machines.ts';
import { slotsOf } from '../loop/wave.ts';
import type { Change, Step } from '../step.ts';
import { planChildren } from './coordinator.ts';
import { giveUp } from './give-up.ts';
import { planLeaf } from './leaf.ts';
import { prepare } from './prepare.ts';

export const plan: Step<'plan'> = async (_input, record, ports) => {
  if (isUnderway(record)) return resume(record);
  if (record.state === 'agreed') return begin(record);
  const prepared = await prepare(record, ports);
  if ('reason' in prepared) return giveUp(record, prepared);
  return machineFor(prepared.card) === 'leaf'
    ? planLeaf(record, prepared, ports)
    : planChildren(record, prepared, ports);
};

/** A new generation of the machine goes on where the record stands: with the plan of this iteration, its review, or its end. */
const isUnderway = ({ state, plan, iteration }: TaskRecord): boolean =>
  ENDING.has(state) || (plan?.iteration === iteration && !PLANNING.has(state));

const PLANNING: ReadonlySet<TaskRecord['state']> = new Set(['agreed', 'planning', 'revising']);
const ENDING: ReadonlySet<TaskRecord['state']> = new Set(['accepting', 'escalating', 'compounding']);

const begin = (record: TaskRecord): Change<'plan'> => ({
  record: {
    ...record,
    state: moveTask(record.state, 'planning'),
    iteration: Math.max(1, record.iteration),
    failing: null,
  },
  entry: { text: `plans "${record.spec.goal.slice(0, 200)}"`, data: { iteration: Math.max(1, record.iteration) } },
  output: { word: 'more', deadline: record.constraints.deadline, wave: [] },
});

const resume = (record: TaskRecord): Change<'plan'> => {
  const wave = slotsOf(record).map((slot) => delegationId(record.id, record.iteration, slot));
  return {
    record,
    entry: { text: `goes on as ${record.state}`, data: {} },
    output: { word: wordOf(record), deadline: record.constraints.deadline, wave },
  };
};

const wordOf = ({ state, plan }: TaskRecord) => {
  if (ENDING.has(state)) return 'compound';
  if (state === 'reviewing') return 'review';
  return plan?.leaf === null ? 'coordinator' : 'leaf';
};
