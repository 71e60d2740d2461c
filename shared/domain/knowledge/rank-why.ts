// Says why an entry matched: the terms of the question first, then what feedback added, each with the fields it stands in (L3-KBQ-04).
import type { Reason } from './index-entry.ts';
import type { Row, Store } from './index-store.ts';
import { fieldsOf } from './index-tokens.ts';
import type { WeightedTerm } from './rank-score.ts';
import type { QueryText } from './text.ts';

/** Added terms that one hit names, the strongest ones: all twenty would hide the reason. */
const MOST_ADDED = 8;

/** A function that explains a row; `added`: what feedback added, strongest first. */
export const reasonsFor = (
  store: Store,
  { query, added }: { query: QueryText; added: readonly WeightedTerm[] },
): ((row: Row) => Reason[]) => {
  const { vocabulary, fields } = store;
  const asked = new Map<number, string>();
  for (const [term, { word }] of query.terms) {
    const number = vocabulary.find(term);
    if (number !== undefined) asked.set(number, word);
  }
  const extra = added.map(({ number }) => number).filter((number) => !asked.has(number));
  const wanted = new Set([...asked.keys(), ...extra]);
  return ({ tokens }) => {
    const found = fieldsOf(tokens, { wanted, fields });
    const named = [...asked.keys(), ...extra.filter((number) => found.has(number)).slice(0, MOST_ADDED)];
    return named.flatMap((number): Reason[] => {
      const inFields = found.get(number);
      if (inFields === undefined) return [];
      const term = vocabulary.terms[number] ?? '';
      const word = asked.get(number);
      return [{ term, word: word ?? term, origin: word === undefined ? 'feedback' : 'query', fields: [...inFields] }];
    });
  };
};
