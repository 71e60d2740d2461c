// The lessons of one tenant as they are searched: the index of the knowledge rules, with what a lesson says laid out for it (L3-KBQ).
import type { Lesson, LessonQuery } from '#shared/contracts/lesson.ts';
import type { Entry, Hit, Question, Reason } from '#shared/domain/knowledge/index-entry.ts';
import { createIndex, decodeSnapshot, type LessonIndex } from '#shared/domain/knowledge/index-lessons.ts';

/** A place in a ranking. */
export interface Ranked {
  id: string;
  score: number;
  why: string[];
}

export interface LessonShelf {
  readonly size: number;
  /** Adds a lesson, or replaces an older version of it: versions come in their order. */
  put(lesson: Lesson): void;
  /** The best that pass every filter, at most `limit`; `now` in ms. */
  search(query: LessonQuery, now: number): Ranked[];
  /** Bytes from which `openShelf` makes the same shelf. */
  snapshot(): Uint8Array;
}

/** A shelf with nothing on it. */
export const emptyShelf = (): LessonShelf => over(createIndex());

/** A shelf from a snapshot; null when the bytes hold none: then it is filled from the record. */
export const openShelf = (bytes: Uint8Array): LessonShelf | null => {
  const index = decodeSnapshot(bytes);
  return typeof index === 'string' ? null : over(index);
};

const over = (index: LessonIndex): LessonShelf => ({
  get size() {
    return index.size;
  },
  put: (lesson) => index.put(entryOf(lesson)),
  search: (query, now) => index.search(questionOf(query, now)).map(rankedOf),
  snapshot: () => index.snapshot(),
});

/** Of a query this many characters count. */
const READ = 4000;
/** Marks heads among the tags that are filtered by; no tag of a lesson has a space. */
const HEAD = 'head of a group';

const entryOf = (lesson: Lesson): Entry => {
  const { id, domain, family, type, trust, created_at, outcomes, signature, tags } = lesson;
  return {
    id,
    domain,
    family,
    type,
    trust,
    created_at,
    ...outcomes,
    tags: lesson.group === null ? [...tags, HEAD] : tags,
    text: {
      situation: [lesson.situation, ...(signature?.failures ?? [])].join(' '),
      advice: lesson.advice,
      did_not_work: lesson.did_not_work,
      tags: tags.join(' '),
      family,
      domain,
    },
  };
};

/** What is known of the situation is asked for in words too, its family first: a lesson about it is found however the goal is worded. */
const questionOf = (query: LessonQuery, now: number): Question => {
  const { situation, domain, family, type, trust, limit } = query;
  const about = situation === null ? [] : [situation.family, ...situation.failures, ...situation.tools];
  const heads = query.grouped === 'heads' ? [HEAD] : [];
  const isAll = query.match === 'all';
  return {
    text: [query.text.slice(0, READ), ...about].join(' '),
    now,
    domain,
    family,
    type,
    tags_any: isAll ? [] : query.tags,
    tags_all: isAll ? [...query.tags, ...heads] : heads,
    minimum_trust: trust,
    limit,
  };
};

const rankedOf = ({ id, score, why, factors }: Hit): Ranked => ({
  id,
  score,
  why: [...why.map(reasonOf), ...Object.entries(factors).map(([name, factor]) => `${name} × ${factor.toFixed(2)}`)],
});

/** `lint in situation, tags`; a term that the question did not say is named as expanded. */
const reasonOf = ({ word, term, origin, fields }: Reason): string =>
  `${origin === 'feedback' ? `${term} (expanded)` : word} in ${fields.join(', ')}`;
