// Exact filters: an entry that a filter does not admit is never scored, ranked, used for feedback or returned (L3-KBQ-02, L3-KBQ-03).
import { type Attributes, type Question, TRUST } from './index-entry.ts';

/** The test that a question's filters make. */
export const filterOf = (question: Question): ((row: Attributes) => boolean) => {
  const least = TRUST.indexOf(question.minimum_trust ?? 'provisional');
  const any = new Set(question.tags_any);
  const all = question.tags_all ?? [];
  const wanted = (['domain', 'family', 'type'] as const).filter((name) => question[name] !== undefined);
  return (row) =>
    TRUST.indexOf(row.trust) >= least &&
    wanted.every((name) => row[name] === question[name]) &&
    (any.size === 0 || row.tags.some((tag) => any.has(tag))) &&
    all.every((tag) => row.tags.includes(tag));
};
