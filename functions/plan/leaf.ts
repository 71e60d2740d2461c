// A leaf's plan: the baseline on the untouched snapshot, and the next alternative with the unmet criteria as feedback (L2-PLN-03).
import type { CheckRun } from '#shared/contracts/criterion.ts';
import type { LeafPlan, Plan } from '#shared/contracts/plan.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { ZERO } from '#shared/domain/budget.ts';
import { moveTask } from '#shared/domain/lifecycle.ts';
import { allocate } from '#shared/domain/planning.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { nextFor } from '../loop/alternatives.ts';
import type { Change } from '../step.ts';
import { baselineOf } from './baseline.ts';
import { planOf } from './draft.ts';
import { giveUp, type Hopeless } from './give-up.ts';
import { exchangeOf, type Prepared } from './prepare.ts';

export const planLeaf = async (
  record: TaskRecord,
  prepared: Prepared,
  ports: StepPorts<'plan'>,
): Promise<Change<'plan'>> => {
  const draft = planOf(record, prepared);
  const baseline =
    draft.baseline.length > 0 ? { runs: draft.baseline, spent: false } : await baselineOf(record, draft, ports);
  if (baseline.spent)
    return giveUp(record, { reason: 'budget_spent', detail: 'the budget did not last for the baseline' });
  const unready = notReady(draft, baseline.runs);
  if (unready !== null) return giveUp(record, unready);
  const leaf = isGreen(draft, baseline.runs)
    ? NOTHING
    : leafOf(record, { ...draft, baseline: baseline.runs }, prepared);
  if (leaf === null) return giveUp(record, { reason: 'no_alternative', detail: 'no frozen tool is left to try' });
  const { work, review } = allocate(prepared.rest, { children: 0 });
  return working(record, { ...draft, baseline: baseline.runs, allocation: { work, review }, leaf }, prepared);
};

/** Everything the goal asks for holds already: there is nothing to change, and the evaluator says whether that is so. */
const NOTHING: LeafPlan = { alternative: 'nothing-to-do', rank: 0, calls: [] };

const leafOf = (record: TaskRecord, draft: Plan, { understood }: Prepared): LeafPlan | null => {
  const next = nextFor({ record, plan: draft, harness: understood.harness, iteration: record.iteration });
  return next === null ? null : { alternative: next.name, rank: next.rank, calls: next.calls };
};

const isGreen = ({ criteria }: Plan, runs: readonly CheckRun[]): boolean => {
  const goals = criteria.filter(({ goal }) => goal);
  return (
    goals.length > 0 && goals.every(({ id }) => runs.some((run) => run.criterion === id && run.outcome === 'pass'))
  );
};

/** The goal's own check cannot even be run on the untouched workspace: that is the person's to mend, and is said at once. */
const notReady = ({ criteria }: Plan, runs: readonly CheckRun[]): Hopeless | null => {
  const broken = runs.find(
    ({ criterion, outcome }) => outcome === 'error' && criteria.some(({ id, goal }) => goal && id === criterion),
  );
  if (broken === undefined) return null;
  const command = criteria.flatMap(({ id, check }) =>
    id === broken.criterion && check.kind === 'command' ? [check.command] : [],
  )[0];
  const detail = `"${command ?? broken.criterion}" cannot be run here: ${broken.failures.slice(0, 3).join('; ') || 'command not found'}. Install the workspace's dependencies and try again.`;
  return { reason: 'not_ready', detail: detail.slice(0, 4000) };
};

const working = (record: TaskRecord, plan: Plan, prepared: Prepared): Change<'plan'> => {
  return {
    record: {
      ...record,
      state: moveTask(moveTask(record.state, 'planning'), 'working'),
      plan,
      work: null,
      produced: [],
      child_verdicts: [],
    },
    also: [{ do: 'spend', task: record.id, key: `attempt-${record.iteration}`, amount: { ...ZERO, attempts: 1 } }],
    entry: {
      text: `attempt ${record.iteration}: ${plan.leaf?.alternative ?? ''}`,
      data: { through: [record.state, 'planning', 'working'], ...dataOf(record, plan, prepared) },
    },
    output: { word: 'leaf', deadline: record.constraints.deadline, wave: [] },
  };
};

const dataOf = (record: TaskRecord, plan: Plan, prepared: Prepared) => ({
  goal: plan.goal,
  criteria: plan.criteria.map(({ id, text, goal, level }) => ({ id, text, goal, level })),
  alternative: plan.leaf?.alternative,
  calls: plan.leaf?.calls.length,
  allocation: plan.allocation,
  evaluator: plan.evaluator,
  feedback: plan.feedback.slice(0, 10),
  red_before: plan.baseline.filter(({ outcome }) => outcome !== 'pass').map(({ criterion }) => criterion),
  lessons: plan.lessons,
  messages: exchangeOf(record, prepared.lessons),
});
