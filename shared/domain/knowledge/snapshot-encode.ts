// The index as bytes, for the artifact store: read once per process, then kept up with newer lessons (section "where it lives").
import type { Row, Store } from './index-store.ts';
import { checksum } from './snapshot-checksum.ts';
import { type Columns, HEADER, MAGIC, TERM_BREAK, VERSION } from './snapshot-layout.ts';

/** Bytes that decodeStore reads back. Entries by id and terms by spelling, terms of no entry left out: equal contents are equal bytes. */
export const encodeStore = (store: Store): Uint8Array => {
  const rows = store.rows.filter((row) => row !== undefined);
  rows.sort((one, other) => (one.id < other.id ? -1 : 1));
  const terms = termsOf(store);
  const text = new TextEncoder().encode(JSON.stringify(columnsOf(store, { rows, terms: terms.spelt })));
  const textWords = Math.ceil(text.length / 4);
  const tokens = rows.reduce((sum, row) => sum + row.tokens.length, 0);
  const words = new Uint32Array(HEADER.words + textWords + tokens);
  const bytes = new Uint8Array(words.buffer);
  bytes.set(text, HEADER.words * 4);
  let at = HEADER.words + textWords;
  for (const row of rows) {
    for (const token of row.tokens) {
      words[at] = terms.numbers[token] ?? token;
      at += 1;
    }
  }
  words[HEADER.text] = text.length;
  words[HEADER.tokens] = tokens;
  words[HEADER.entries] = rows.length;
  words[HEADER.magic] = MAGIC;
  words[HEADER.version] = VERSION;
  words[HEADER.checksum] = checksum(words.subarray(HEADER.checksum + 1));
  return bytes;
};

/** The terms that entries have, and their new numbers by old number. */
function termsOf({ vocabulary }: Store): { spelt: string[]; numbers: Uint32Array } {
  const numbers = new Uint32Array(vocabulary.terms.length);
  const spelt = vocabulary.terms.filter((_, old) => (vocabulary.postings[old]?.length ?? 0) > 0).sort();
  for (const [number, term] of spelt.entries()) numbers[vocabulary.find(term) ?? 0] = number;
  return { spelt, numbers };
}

function columnsOf(store: Store, { rows, terms }: { rows: readonly Row[]; terms: readonly string[] }): Columns {
  const strings = new Map<string, number>();
  const numberOf = (text: string): number => {
    const number = strings.get(text) ?? strings.size;
    strings.set(text, number);
    return number;
  };
  const columns = {
    fields: store.fields.map(({ name, weight }) => ({ name, weight })),
    terms: terms.join(TERM_BREAK),
    ids: rows.map(({ id }) => id),
    domains: rows.map(({ domain }) => numberOf(domain)),
    families: rows.map(({ family }) => numberOf(family)),
    types: rows.map(({ type }) => numberOf(type)),
    tags: rows.map(({ tags }) => tags.map(numberOf)),
    trust: rows.map(({ trust }) => trust),
    used: rows.map(({ used }) => used),
    helped: rows.map(({ helped }) => helped),
    hurt: rows.map(({ hurt }) => hurt),
    created: rows.map(({ created_at }) => created_at),
    sizes: rows.map(({ tokens }) => tokens.length),
  };
  return { ...columns, strings: [...strings.keys()] };
}
