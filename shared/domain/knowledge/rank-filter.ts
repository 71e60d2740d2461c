// Exact filters: an entry that a filter does not admit is never scored, ranked, used for feedback or returned (L3-KBQ-02, L3-KBQ-03).
import { type Attributes, type Question, TRUST } from './index-entry.ts';

type Test = (row: Attributes) => boolean;

/** The test that a question's filters make; only what it asks for is looked at, since hundreds of entries are tested for one question. */
export const filterOf = (question: Question): Test => {
  const admitted = new Set(TRUST.slice(TRUST.indexOf(question.minimum_trust ?? 'provisional')));
  const tests = testsOf(question);
  if (tests.length === 0) return ({ trust }) => admitted.has(trust);
  return (row) => admitted.has(row.trust) && tests.every((test) => test(row));
};

function testsOf(question: Question): Test[] {
  const { tags_any = [], tags_all = [] } = question;
  const any = new Set(tags_any);
  const wanted = (['domain', 'family', 'type'] as const).filter((name) => question[name] !== undefined);
  return [
    ...wanted.map(
      (name): Test =>
        (row) =>
          row[name] === question[name],
    ),
    ...(any.size === 0 ? [] : [({ tags }: Attributes) => tags.some((tag) => any.has(tag))]),
    ...tags_all.map(
      (tag): Test =>
        ({ tags }) =>
          tags.includes(tag),
    ),
  ];
}
