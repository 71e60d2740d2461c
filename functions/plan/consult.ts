// Asking the knowledge base: what was found, what of it is about this situation, and what the plan does otherwise because of it
// (L3-KBQ-01, L3-CTL-01, L3-CTL-02). Lessons are data: they reorder alternatives and nothing else.
import { rootOf } from '#shared/contracts/ids.ts';
import type { Lesson, LessonEffect, LessonQuestion, LessonUse, Signature } from '#shared/contracts/lesson.ts';
import type { Plan } from '#shared/contracts/plan.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { citable, effectsOf } from '#shared/domain/knowledge/apply.ts';
import { signatureOf } from '#shared/domain/knowledge/signature.ts';
import { goalTags, normaliseTags } from '#shared/domain/knowledge/tags.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import type { LessonHit } from '#shared/ports/world.ts';
import type { Prepared } from './prepare.ts';

/** `cited`: found and about this very situation; `effects`: what they say of the alternatives. */
export interface Consulted {
  question: LessonQuestion;
  hits: LessonHit[];
  cited: Lesson[];
  effects: LessonEffect[];
}

/**
 * Asks once the baseline is known: the situation is what is red, not how the goal is worded or where. What this very root found out comes
 * as feedback, not as a lesson.
 */
export const consult = async (
  { record, draft, prepared }: { record: TaskRecord; draft: Plan; prepared: Prepared },
  ports: Pick<StepPorts<'plan'>, 'lessons'>,
): Promise<Consulted> => {
  const situation = signatureOf(draft);
  const { harness } = prepared.understood;
  const question = questionOf(record, { draft, situation, family: isOneFamily(prepared) ? draft.family : null });
  const hits = await ports.lessons.query(record.tenant, question);
  const others = hits.map(({ lesson }) => lesson).filter(({ task_id }) => rootOf(task_id) !== record.root);
  const cited = citable(others, situation);
  return { question, hits, cited, effects: effectsOf(cited, harness, draft.family) };
};

/** The question of PLAN to the knowledge base and its answer, journalled as the message pair they are (requirements section 2). */
export const exchangeOf = ({ question, hits }: Consulted) => [
  { method: 'hca/knowledge/query', params: question },
  {
    method: 'hca/knowledge/query.result',
    result: {
      lessons: hits.map(({ lesson, score, why }) => ({ id: lesson.id, version: lesson.version, score, why })),
    },
  },
];

/** The uses of this iteration beside those of earlier ones, kept until the verdict; an iteration planned again counts once. */
export const usedWith = (record: TaskRecord, effects: readonly LessonEffect[]): LessonUse[] =>
  [
    ...record.used.filter(({ iteration }) => iteration !== record.iteration),
    ...effects.map((effect) => ({ ...effect, iteration: record.iteration })),
  ].slice(-64);

/** Heads that are looked at for this very situation; how many a model is shown is its profile's. */
const LOOKED_AT = 20;

interface About {
  draft: Plan;
  situation: Signature;
  family: string | null;
}

const questionOf = (record: TaskRecord, about: About): LessonQuestion => ({
  text: record.spec.goal.slice(0, 4000),
  ...(about.family === null ? {} : { family: about.family }),
  tags: tagsOf(record, about),
  situation: about.situation,
  limit: LOOKED_AT,
});

/** What the lesson of this task will be tagged with, as far as it is known before the work; any of them may match. */
const tagsOf = (record: TaskRecord, { draft, situation }: About): string[] =>
  normaliseTags([
    draft.family,
    ...draft.criteria.filter(({ goal }) => goal).map(({ id }) => id),
    ...situation.tools,
    ...situation.checks,
    ...goalTags(record.spec.goal),
  ]);

/** A coordinator of several families asks about all of them. */
const isOneFamily = ({ understood }: Prepared): boolean =>
  new Set(understood.reading.clauses.flatMap(({ family, side }) => (family === null || side ? [] : [family]))).size <=
  1;
