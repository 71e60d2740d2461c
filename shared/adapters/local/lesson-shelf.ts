// The lessons of one tenant as they are searched: exact filters, then a ranking. Nothing but what ranking needs is kept in memory.
import type { Lesson, LessonQuery } from '#shared/contracts/lesson.ts';
import { TRUSTS } from '#shared/contracts/lesson.ts';

/** A place in a ranking. */
export interface Ranked {
  id: string;
  score: number;
  why: string[];
}

export interface LessonShelf {
  /** Adds a lesson, or replaces an older version of it. */
  put(lesson: Lesson): void;
  /** The best that pass every filter, at most `limit`. */
  search(query: LessonQuery): Ranked[];
}

/** An empty shelf. */
export const lessonShelf = (): LessonShelf => {
  const cards = new Map<string, Card>();
  return {
    put: (lesson) => {
      if ((cards.get(lesson.id)?.version ?? 0) < lesson.version) cards.set(lesson.id, cardOf(lesson));
    },
    search: (query) =>
      rank(
        [...cards.values()].filter((card) => passes(card, query)),
        query,
      ),
  };
};

/** What of a lesson its ranking needs. */
interface Card extends Pick<Lesson, 'id' | 'version' | 'domain' | 'family' | 'tags' | 'type' | 'trust' | 'created_at'> {
  isHead: boolean;
  words: ReadonlySet<string>;
  merit: number;
}

const cardOf = (lesson: Lesson): Card => {
  const { id, version, domain, family, tags, type, trust, created_at, outcomes, signature } = lesson;
  const text = [lesson.situation, lesson.advice, lesson.did_not_work, family, ...tags, ...(signature?.failures ?? [])];
  return {
    id,
    version,
    domain,
    family,
    tags,
    type,
    trust,
    created_at,
    isHead: lesson.group === null,
    words: wordsOf(text.join(' ')),
    merit: (trust === 'confirmed' ? 1 : 0) + Math.tanh(outcomes.helped - outcomes.hurt),
  };
};

const passes = (card: Card, query: LessonQuery): boolean =>
  (query.domain === undefined || card.domain === query.domain) &&
  (query.family === undefined || card.family === query.family) &&
  (query.type === undefined || card.type === query.type) &&
  (query.grouped === 'all' || card.isHead) &&
  TRUSTS.indexOf(card.trust) >= TRUSTS.indexOf(query.trust) &&
  hasTags(card, query);

const hasTags = ({ tags }: Card, query: LessonQuery): boolean => {
  if (query.tags.length === 0) return true;
  const has = (tag: string): boolean => tags.includes(tag);
  return query.match === 'all' ? query.tags.every(has) : query.tags.some(has);
};

/** Weights against shared words (0 to 1): what is proven, and what is new, decide between lessons that fit alike. */
const MERIT = 0.1;
const RECENCY = 0.05;
const WORD = /[\p{L}\p{N}]{2,}/gu;
/** Of a query this many characters count. */
const READ = 4000;

/** Score: share of the query's words that the lesson has, plus a little for being proven and for being new. */
function rank(cards: Card[], query: LessonQuery): Ranked[] {
  const asked = wordsOf(`${query.text.slice(0, READ)} ${query.situation?.failures.join(' ') ?? ''}`);
  const newest = Math.max(1, ...cards.slice(0, 1000).map(({ created_at }) => created_at));
  return cards
    .map((card) => ({ card, shared: [...asked].filter((word) => card.words.has(word)) }))
    .map(({ card, shared }) => ({
      id: card.id,
      score:
        shared.length / Math.max(1, asked.size) + MERIT * card.merit + RECENCY * Math.min(1, card.created_at / newest),
      why: [...shared.slice(0, 12), ...(card.trust === 'confirmed' ? ['(confirmed)'] : [])],
      created_at: card.created_at,
    }))
    .sort((a, b) => b.score - a.score || b.created_at - a.created_at || a.id.localeCompare(b.id))
    .slice(0, query.limit)
    .map(({ id, score, why }) => ({ id, score, why }));
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(WORD) ?? []);
