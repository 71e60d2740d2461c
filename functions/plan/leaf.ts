// A leaf's plan: the baseline on the untouched snapshot, what lessons say of it, and the next alternative with the unmet criteria as
// feedback (L2-PLN-03, L3-CTL-02).
import type { LeafPlan, Plan } from '#shared/contracts/plan.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { ZERO } from '#shared/domain/budget.ts';
import { changesOf, effectText, reordered } from '#shared/domain/knowledge/apply.ts';
import { moveTask } from '#shared/domain/lifecycle.ts';
import { allocate } from '#shared/domain/planning.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { nextFor } from '../loop/alternatives.ts';
import type { Change } from '../step.ts';
import { baselineOf } from './baseline.ts';
import { type Consulted, consult, exchangeOf, usedWith } from './consult.ts';
import { planOf } from './draft.ts';
import { giveUp, type Hopeless } from './give-up.ts';
import type { Prepared } from './prepare.ts';

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
  const unready = notReady(draft, baseline);
  if (unready !== null) return giveUp(record, unready);
  const known = { ...draft, baseline: baseline.runs };
  const consulted = await consult({ record, draft: known, prepared }, ports);
  const chosen = isGreen(known)
    ? { leaf: NOTHING, learned: [] }
    : choose(record, { draft: known, consulted }, prepared);
  if (chosen === null) return giveUp(record, { reason: 'no_alternative', detail: 'no frozen tool is left to try' });
  const { work, review } = allocate(prepared.rest, { children: 0 });
  const lessons = consulted.cited.map(({ id }) => id);
  return working(record, { ...known, allocation: { work, review }, lessons, ...chosen }, consulted);
};

/** Everything the goal asks for holds already: there is nothing to change, and the evaluator says whether that is so. */
const NOTHING: LeafPlan = { alternative: 'nothing-to-do', rank: 0, calls: [] };

/** The next alternative in the order that the lessons ask for, and what they changed by that (L3-CTL-02). */
const choose = (
  record: TaskRecord,
  { draft, consulted }: { draft: Plan; consulted: Consulted },
  { understood }: Prepared,
): Pick<Plan, 'leaf' | 'learned'> | null => {
  const { harness } = understood;
  const nextOf = (ordered: HarnessPackage) =>
    nextFor({ record, plan: draft, harness: ordered, iteration: record.iteration });
  const next = nextOf(reordered(harness, consulted.effects));
  if (next === null) return null;
  const names = { chosen: next.name, plain: nextOf(harness)?.name ?? next.name };
  const rank = harness.tools.find(({ name }) => name === next.name)?.rank ?? next.rank;
  return {
    leaf: { alternative: next.name, rank, calls: next.calls },
    learned: changesOf(consulted.effects, names, harness),
  };
};

const isGreen = ({ criteria, baseline }: Plan): boolean => {
  const goals = criteria.filter(({ goal }) => goal);
  return (
    goals.length > 0 && goals.every(({ id }) => baseline.some((run) => run.criterion === id && run.outcome === 'pass'))
  );
};

/** What the person can do about a check that cannot be run, by what it said and what became of the dependencies. */
const remedyOf = (why: string, dependencies: string | undefined): string => {
  if (/ran out of time/i.test(why)) return 'Give the task more time (--budget time=30m), or ask for a faster check.';
  if (/no tests?\b/i.test(why)) return 'Give the workspace a test that this command runs, and try again.';
  if (why.startsWith('refused: ')) return 'Open what this rule of the policy closes, or ask for another check.';
  if (dependencies === undefined) return "Install the workspace's dependencies and try again.";
  return `The work is done elsewhere, where ${dependencies}. ${ELSEWHERE}`;
};

const ELSEWHERE =
  'Give the workspace a package-lock.json and a policy that opens the network (access: allow, side_effects: external_write), or install what it needs on that machine.';

type Baseline = Awaited<ReturnType<typeof baselineOf>>;

/** The goal's own check cannot even be run on the untouched workspace: that is the person's to mend, and is said at once. */
const notReady = ({ criteria }: Plan, { runs, dependencies }: Baseline): Hopeless | null => {
  const broken = runs.find(
    ({ criterion, outcome }) => outcome === 'error' && criteria.some(({ id, goal }) => goal && id === criterion),
  );
  if (broken === undefined) return null;
  const command = criteria.flatMap(({ id, check }) =>
    id === broken.criterion && check.kind === 'command' ? [check.command] : [],
  )[0];
  const why = broken.failures.slice(0, 3).join('; ') || 'command not found';
  const detail = `"${command ?? broken.criterion}" cannot be run here: ${why}. ${remedyOf(why, dependencies)}`;
  return { reason: 'not_ready', detail: detail.slice(0, 4000) };
};

const working = (record: TaskRecord, plan: Plan, consulted: Consulted): Change<'plan'> => {
  const because = plan.learned.length === 0 ? '' : `; lessons changed the order: ${effectText(plan.learned)}`;
  return {
    record: {
      ...record,
      state: moveTask(moveTask(record.state, 'planning'), 'working'),
      plan,
      used: usedWith(record, plan.learned),
      work: null,
      produced: [],
      child_verdicts: [],
    },
    also: [{ do: 'spend', task: record.id, key: `attempt-${record.iteration}`, amount: { ...ZERO, attempts: 1 } }],
    entry: {
      text: `attempt ${record.iteration}: ${plan.leaf?.alternative ?? ''}${because}`.slice(0, 2000),
      data: { through: [record.state, 'planning', 'working'], ...dataOf(plan, consulted) },
    },
    output: { word: 'leaf', deadline: record.constraints.deadline, wave: [] },
  };
};

const dataOf = (plan: Plan, consulted: Consulted) => ({
  goal: plan.goal,
  criteria: plan.criteria.map(({ id, text, goal, level }) => ({ id, text, goal, level })),
  alternative: plan.leaf?.alternative,
  calls: plan.leaf?.calls.length,
  allocation: plan.allocation,
  evaluator: plan.evaluator,
  feedback: plan.feedback.slice(0, 10),
  red_before: plan.baseline.filter(({ outcome }) => outcome !== 'pass').map(({ criterion }) => criterion),
  lessons: plan.lessons,
  learned: plan.learned,
  messages: exchangeOf(consulted),
});
