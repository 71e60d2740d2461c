// Every term the index has met, with a number for it and its postings.
import type { Postings } from './index-postings.ts';
import { stem } from './stem.ts';

const NOTHING = new Uint32Array(0);

/** Terms by number and numbers by term. */
export interface Vocabulary {
  readonly terms: readonly string[];
  readonly postings: readonly Postings[];
  /** Number of the term; undefined when it was never met. */
  find(term: string): number | undefined;
  /** Number of the word's term, a new one when it was never met. */
  learnWord(word: string): number;
}

/** Words whose stem is remembered; stemming anew costs a few microseconds each, so the memory is emptied when it is full. */
const REMEMBERED = 50_000;

/** A vocabulary with these terms, in this order, none of them in any entry yet. */
export const createVocabulary = (known: readonly string[] = []): Vocabulary => {
  const terms = [...known];
  const postings: Postings[] = terms.map(() => ({ packed: NOTHING, length: 0 }));
  const numbers = new Map(terms.map((term, number) => [term, number]));
  const learn = (term: string): number => {
    const found = numbers.get(term);
    if (found !== undefined) return found;
    numbers.set(term, terms.length);
    terms.push(term);
    postings.push({ packed: NOTHING, length: 0 });
    return terms.length - 1;
  };
  const remembered = new Map<string, number>();
  const learnWord = (word: string): number => {
    const found = remembered.get(word);
    if (found !== undefined) return found;
    if (remembered.size === REMEMBERED) remembered.clear();
    const number = learn(stem(word));
    remembered.set(word, number);
    return number;
  };
  return { terms, postings, find: (term) => numbers.get(term), learnWord };
};
