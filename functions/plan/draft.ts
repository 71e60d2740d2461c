// The parts of a plan that a leaf's and a coordinator's have in common.
import type { Plan } from '#shared/contracts/plan.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { ZERO } from '#shared/domain/budget.ts';
import type { Prepared } from './prepare.ts';

/** A plan without alternative, waves, allocation and lessons (L2-PLN-02). */
export const planOf = (record: TaskRecord, { understood, evaluator }: Prepared): Plan => ({
  iteration: record.iteration,
  goal: record.spec.goal,
  clauses: understood.reading.clauses.map(({ text }) => text.slice(0, 1000)).slice(0, 64),
  family: familyOf(record, understood),
  harness: understood.harness.name,
  params: Object.assign(
    {},
    ...understood.reading.clauses.flatMap(({ meanings }) => meanings.map(({ params }) => params)),
  ),
  project: understood.project === null ? null : { ...understood.project, packages: [] },
  criteria: understood.criteria,
  allocation: { work: ZERO, review: ZERO },
  leaf: null,
  waves: [],
  baseline: record.plan?.baseline ?? [],
  lessons: [],
  learned: [],
  feedback: record.attempts.at(-1)?.unmet ?? [],
  evaluator,
});

const familyOf = (record: TaskRecord, understood: Prepared['understood']): string =>
  record.spec.family ?? understood.reading.clauses.find((clause) => !clause.side)?.family ?? 'unknown';
