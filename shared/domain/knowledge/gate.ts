// The write gate (L3-KBC-03, pitfall 46): what is contributed is refused, kept apart or taken, always with the reason.
import { Lesson, type LessonType } from '#shared/contracts/lesson.ts';
import type { AnyRecord, ReviewRecord, TaskRecord } from '#shared/contracts/task.ts';
import { sha256Hex } from '../digest.ts';
import { evidenceOf, triedOf, workLessonId } from './extract.ts';
import { reviewEvidence, reviewLessonId } from './extract-review.ts';
import { hasControls, hasSecret, poisonIn } from './poison.ts';
import { normaliseTags } from './tags.ts';

/** Largest lesson, in characters of JSON: some four times what extraction makes. */
const LARGEST = 32_768;

const PREFIX = workLessonId('');

/** `id` is what the contributor called it, for the acknowledgement. */
export type Gated =
  | { status: 'taken' | 'quarantined'; lesson: Lesson; reason: string }
  | { status: 'refused'; id: string; reason: string };

/** `source`: the task's or the review's record as it is stored, undefined when there is none; `task`: the one that the message is about. */
export interface Contribution {
  raw: Readonly<Record<string, unknown>>;
  task: string;
  from: string;
  source: AnyRecord | undefined;
}

/** The record that a contribution must come from, by what it is called. */
export const sourceOf = (raw: Readonly<Record<string, unknown>>): string | null =>
  typeof raw.id === 'string' && raw.id.startsWith(PREFIX) ? raw.id.slice(PREFIX.length, PREFIX.length + 120) : null;

/** Judges a contribution by what the house itself recorded: nobody speaks for another task, and nothing is taken on trust. */
export const gateContribution = ({ raw, task, from, source }: Contribution): Gated => {
  const read = readLesson(raw);
  if ('reason' in read) return { status: 'refused', id: nameOf(raw), reason: read.reason };
  const lesson = fresh(read.lesson);
  const forged = forgery(lesson, { task, from, source });
  if (forged !== null) return { status: 'refused', id: lesson.id, reason: forged };
  const poison = poisonIn([lesson.situation, lesson.advice, lesson.did_not_work, ...lesson.tags]);
  if (poison !== null) return { status: 'quarantined', lesson: { ...lesson, trust: 'quarantined' }, reason: poison };
  return { status: 'taken', lesson, reason: 'its evidence was found' };
};

/** What comes from outside is never believed: it waits, apart, until a person confirms it. */
export const gateImport = (raw: Readonly<Record<string, unknown>>): Gated => {
  const read = readLesson(raw);
  if ('reason' in read) return { status: 'refused', id: nameOf(raw), reason: read.reason };
  const { lesson } = read;
  if (lesson.evidence.length === 0) return { status: 'refused', id: lesson.id, reason: 'it names no evidence' };
  const poison = poisonIn([lesson.situation, lesson.advice, lesson.did_not_work, ...lesson.tags]);
  const provenance = { origin: 'import' as const, source: lesson.id };
  // Its own name would let it stand where a task's lesson is yet to come.
  const id = `imported-${sha256Hex(new TextEncoder().encode(JSON.stringify(lesson))).slice(0, 32)}`;
  const change = { cause: `import:${id}`, why: 'imported', at: lesson.created_at };
  return {
    status: 'quarantined',
    lesson: { ...fresh(lesson), id, change, provenance, trust: 'quarantined' },
    reason: poison ?? 'it is foreign: its evidence cannot be checked here',
  };
};

/** Its own words, but none of its claims: version, trust, counts and links are the knowledge base's. */
const fresh = (lesson: Lesson): Lesson => ({
  ...lesson,
  version: 1,
  tags: normaliseTags(lesson.tags),
  outcomes: { used: 0, helped: 0, hurt: 0 },
  retrieved: false,
  trust: 'provisional',
  group: null,
  contradicts: [],
});

const readLesson = (raw: Readonly<Record<string, unknown>>): { lesson: Lesson } | { reason: string } => {
  const text = JSON.stringify(raw);
  if (text.length > LARGEST) return { reason: `it is too large: ${text.length} characters, limit ${LARGEST}` };
  const read = Lesson.safeParse(raw);
  if (!read.success) {
    const issue = read.error.issues[0];
    return { reason: `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'not a lesson'}`.slice(0, 300) };
  }
  const texts = textsOf(read.data);
  if (texts.some(hasControls)) return { reason: 'it holds control characters' };
  if (texts.some(hasSecret)) return { reason: 'it holds what looks like a secret' };
  return { lesson: read.data };
};

const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
};

const nameOf = ({ id }: Readonly<Record<string, unknown>>): string =>
  typeof id === 'string' && !hasControls(id) && !hasSecret(id) ? id.slice(0, 120) : 'unnamed';

type Claim = Omit<Contribution, 'raw'>;

/** What the records say against it; null when they bear it out. */
const forgery = (lesson: Lesson, { task, from, source }: Claim): string | null => {
  if (lesson.task_id !== task) return `it is about ${lesson.task_id}, but ${task} contributes it`;
  if (source === undefined || taskOf(source) !== task) return 'there is no such task or review here';
  if (source.holon !== from || lesson.holon !== from) return `${from} did not do this task`;
  if (source.kind === 'review') return ofReview(lesson, source);
  return source.kind === 'task' ? ofTask(lesson, source) : 'a delegation teaches nothing';
};

const taskOf = (source: AnyRecord): string => (source.kind === 'task' ? source.id : source.task);

const ofTask = (lesson: Lesson, record: TaskRecord): string | null => {
  const { worked, failed } = triedOf(record);
  const { alternatives } = lesson;
  if (lesson.id !== workLessonId(record.id) || lesson.provenance.origin !== 'work')
    return 'its id is not that of its task';
  if (lesson.family !== familyOf(record)) return 'its family is not that of its task';
  if (!alternatives.for.every((name) => worked.includes(name))) return 'it speaks for an alternative that did not work';
  if (!alternatives.against.every((name) => failed.includes(name))) return 'it speaks against one that did not fail';
  if (lesson.type !== typeOf(record)) return `its task did not end as a ${lesson.type}`;
  return backed(lesson, evidenceOf(record));
};

const ofReview = (lesson: Lesson, review: ReviewRecord): string | null => {
  if (lesson.id !== reviewLessonId(review.id) || lesson.provenance.origin !== 'review')
    return 'its id is not that of its review';
  if (lesson.family !== review.family) return 'its family is not that of its review';
  if (lesson.alternatives.for.length + lesson.alternatives.against.length > 0)
    return 'an evaluator does not know how the work was done';
  return backed(lesson, review.verdict === null ? [] : reviewEvidence(review.verdict));
};

const familyOf = (record: TaskRecord): string => record.plan?.family ?? record.spec.family ?? 'unknown';

const typeOf = ({ result }: TaskRecord): LessonType => (result === null ? 'antipattern' : 'pattern');

/** Evidence is required, and must be evidence of this record (pitfall 46). */
const backed = (lesson: Lesson, known: readonly string[]): string | null => {
  if (lesson.evidence.length === 0) return 'it has no evidence';
  return lesson.evidence.every((one) => known.includes(one)) ? null : 'its evidence is not that of its task';
};
