// A question answered: filter, BM25, pairs, feedback, then the bounded factors (L3-KBQ-01 to L3-KBQ-04).
import { FEEDBACK_ENTRIES, feedbackTerms } from './feedback.ts';
import type { Hit, Question } from './index-entry.ts';
import type { Row, Store } from './index-store.ts';
import { filterOf } from './rank-filter.ts';
import { addPairs } from './rank-pairs.ts';
import { outcomeFactor, recencyFactor, trustFactor } from './rank-prior.ts';
import { addScores, type WeightedTerm } from './rank-score.ts';
import { best, type Ranked } from './rank-top.ts';
import { reasonsFor } from './rank-why.ts';
import { type QueryText, readQuery } from './text.ts';

/** Entries whose neighbouring words are looked at. */
const CANDIDATES = 50;
const MOST_HITS = 100;
const USUAL_HITS = 10;

/** The best entries that the filters admit, best first; empty when none matches. See Question for a text without terms. */
export const searchStore = (store: Store, question: Question): Hit[] => {
  const admits = filterOf(question);
  const { scores, values } = store;
  const query = readQuery(question.text);
  const added = query.terms.size === 0 ? everything(store) : score(store, { query, admits });
  const found = best(store, {
    count: Math.max(0, Math.min(MOST_HITS, Math.floor(question.limit ?? USUAL_HITS))),
    bounds: weighed(store),
    admits,
    valueOf: (slot, row) => (values[slot] ?? 0) * recencyFactor(row.created_at, question.now),
  });
  const reasons = reasonsFor(store, { query, added });
  return found.map((ranked) => toHit(ranked, { relevance: scores[ranked.slot] ?? 0, now: question.now, reasons }));
};

/** Relevance times trust and outcome: what an entry is worth if it is new. */
function weighed({ scores, standing, values, rows }: Store): Float64Array {
  for (let slot = 0; slot < rows.length; slot += 1) values[slot] = (scores[slot] ?? 0) * (standing[slot] ?? 0);
  return values;
}

/** Without terms all are equally relevant: the factors alone give the order. */
function everything({ scores, rows }: Store): WeightedTerm[] {
  scores.fill(1, 0, rows.length);
  return [];
}

/** Fills the scores; returns the terms that feedback added. */
function score(store: Store, { query, admits }: { query: QueryText; admits: (row: Row) => boolean }): WeightedTerm[] {
  const { scores, rows, vocabulary } = store;
  scores.fill(0, 0, rows.length);
  addScores(store, queryTerms(store, query));
  const byScore = { bounds: scores, admits, valueOf: (slot: number) => scores[slot] ?? 0 };
  const candidates = best(store, { ...byScore, count: CANDIDATES });
  addPairs(
    store,
    candidates,
    query.sequence.map((term) => vocabulary.find(term)),
  );
  const top = candidates
    .map((candidate) => ({ ...candidate, value: scores[candidate.slot] ?? 0 }))
    .sort((one, other) => other.value - one.value || (one.row.id < other.row.id ? -1 : 1))
    .slice(0, FEEDBACK_ENTRIES);
  const added = feedbackTerms(store, top);
  addScores(store, added);
  return added;
}

function queryTerms({ vocabulary }: Store, { terms }: QueryText): WeightedTerm[] {
  return [...terms].flatMap(([term, { count }]) => {
    const number = vocabulary.find(term);
    return number === undefined ? [] : [{ number, weight: count }];
  });
}

function toHit(
  { row, value }: Ranked,
  { relevance, now, reasons }: { relevance: number; now: number; reasons: (row: Row) => Hit['why'] },
): Hit {
  const factors = {
    trust: trustFactor(row.trust),
    outcome: outcomeFactor(row),
    recency: recencyFactor(row.created_at, now),
  };
  return { id: row.id, score: value, relevance, factors, why: reasons(row) };
}
