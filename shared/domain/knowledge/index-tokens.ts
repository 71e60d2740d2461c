// An entry's text as numbers: for each field a mark, then its terms in order. Counts, fields and neighbours are all read from it.
import type { Field } from './index-entry.ts';
import type { Vocabulary } from './index-vocabulary.ts';
import { wordsOf } from './text.ts';

/** Marks lie above every term: the field at position n is LAST_MARK - n. */
const LAST_MARK = 0xffff_ffff;
/** Fields an index can have. */
const MOST_FIELDS = 16;
const FIRST_MARK = LAST_MARK - MOST_FIELDS + 1;

/** Position of the field that a mark opens; undefined for a term. */
export const fieldAt = (token: number): number | undefined => (token < FIRST_MARK ? undefined : LAST_MARK - token);

/** Reads the text; terms the vocabulary does not know yet are added to it. */
export const tokenise = (
  text: Readonly<Record<string, string>>,
  { fields, vocabulary }: { fields: readonly Field[]; vocabulary: Vocabulary },
): Uint32Array => {
  const tokens: number[] = [];
  for (const [position, { name }] of fields.slice(0, MOST_FIELDS).entries()) {
    tokens.push(LAST_MARK - position);
    for (const word of wordsOf(text[name] ?? '')) tokens.push(vocabulary.learnWord(word));
    if (fieldAt(tokens.at(-1) ?? 0) !== undefined) tokens.pop();
  }
  return Uint32Array.from(tokens);
};

/** How often each term counts, each word times the weight of its field. */
export const countTerms = (tokens: Uint32Array, fields: readonly Field[]): Map<number, number> => {
  const counts = new Map<number, number>();
  let weight = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? 0;
    const field = fieldAt(token);
    if (field === undefined) counts.set(token, (counts.get(token) ?? 0) + weight);
    else weight = fields[field]?.weight ?? 0;
  }
  return counts;
};

/** Names of the fields that each of the wanted terms is in. */
export const fieldsOf = (
  tokens: Uint32Array,
  { wanted, fields }: { wanted: ReadonlySet<number>; fields: readonly Field[] },
): Map<number, Set<string>> => {
  const found = new Map<number, Set<string>>();
  let name = '';
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? 0;
    const field = fieldAt(token);
    if (field !== undefined) name = fields[field]?.name ?? '';
    else if (wanted.has(token)) found.set(token, (found.get(token) ?? new Set()).add(name));
  }
  return found;
};
