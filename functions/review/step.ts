// REVIEW: asks another holon and waits for its verdict (L1-REV-01, L2-EVL-01, L2-EVL-02).
import { reviewId } from '#shared/contracts/ids.ts';
import type { Plan } from '#shared/contracts/plan.ts';
import type { ReviewRecord, TaskRecord } from '#shared/contracts/task.ts';
import { moveTask } from '#shared/domain/lifecycle.ts';
import { newReview } from '#shared/domain/records.ts';
import { chooseEvaluator, reviewMode } from '#shared/domain/review.ts';
import type { Change, Say, Step } from '../step.ts';

export const review: Step<'review'> = async (_input, record, ports) => {
  const { plan } = record;
  if (plan === null) throw new Error(`bug: ${record.id} is to be reviewed without a plan`);
  const cards = await ports.holons.all(record.tenant);
  const evaluator =
    chooseEvaluator({ cards, producer: record.holon, tried: record.evaluators_tried }) ?? plan.evaluator;
  const number = record.reviews + 1;
  const id = reviewId(record.id, record.iteration, number);
  const asked = newReview(
    { tenant: record.tenant, id, holon: evaluator, now: ports.clock.now() },
    termsOf(record, plan),
  );
  return ask({ ...record, state: moveTask(record.state, 'reviewing'), review: id, reviews: number }, asked);
};

const ask = (record: TaskRecord, asked: ReviewRecord): Change<'review'> => ({
  record,
  also: [{ do: 'put', record: asked }],
  entry: {
    text: `asks ${asked.holon} to review iteration ${record.iteration}`,
    data: {
      review: asked.id,
      evaluator: asked.holon,
      artifact: record.artifact,
      criteria: asked.criteria.map(({ id }) => id),
    },
  },
  tell: [request(record, asked)],
  output: { word: 'waiting' },
  wait: { task: record.id, on: asked.id, offer: 0 },
});

const termsOf = (record: TaskRecord, plan: Plan) => ({
  task: record.id,
  iteration: record.iteration,
  producer: record.holon,
  goal: record.spec.goal,
  family: plan.family,
  project: plan.project,
  criteria: plan.criteria,
  workspace: record.spec.workspace,
  artifact: record.artifact,
  baseline: plan.baseline,
  produced: record.produced,
  child_verdicts: record.child_verdicts,
  mode: reviewMode({
    children: plan.leaf === null ? record.child_verdicts.length : 0,
    verdict: record.child_verdicts.at(-1) ?? null,
    criteria: plan.criteria.map(({ id }) => id),
    artifact: record.artifact,
  }),
  constraints: { ...record.constraints, budget: plan.allocation.review },
});

const request = (record: TaskRecord, asked: ReviewRecord): Say => ({
  method: 'hca/review/request',
  to: asked.holon,
  task: record.id,
  params: {
    review: asked.id,
    iteration: record.iteration,
    goal: asked.goal,
    criteria: asked.criteria,
    artifacts: record.artifact === null ? [] : [record.artifact],
    workspace: asked.workspace,
    baseline: asked.baseline,
  },
});
