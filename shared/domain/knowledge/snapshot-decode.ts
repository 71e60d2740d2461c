// Bytes back to an index. Whatever is wrong with them is an answer, not an error: the caller builds the index from the record instead.
import { addRow, createStore, type Row, type Store } from './index-store.ts';
import { createVocabulary } from './index-vocabulary.ts';
import { checksum } from './snapshot-checksum.ts';
import { Columns, HEADER, MAGIC, TERM_BREAK, VERSION } from './snapshot-layout.ts';
import { fillPostings } from './snapshot-postings.ts';

/** Why bytes are no index: none of ours, of another version, or torn. */
export type Unreadable = 'foreign' | 'version' | 'damaged';

/** The store, or why there is none. */
export const decodeStore = (bytes: Uint8Array): Store | Unreadable => {
  const words = wordsOf(bytes);
  if (words === undefined || words[HEADER.magic] !== MAGIC) return 'foreign';
  if (words[HEADER.version] !== VERSION) return 'version';
  const textBytes = words[HEADER.text] ?? 0;
  const tokensAt = HEADER.words + Math.ceil(textBytes / 4);
  const isWhole = words.length === tokensAt + (words[HEADER.tokens] ?? 0);
  if (!isWhole || checksum(words.subarray(HEADER.checksum + 1)) !== words[HEADER.checksum]) return 'damaged';
  const text = new Uint8Array(words.buffer, words.byteOffset + HEADER.words * 4, textBytes);
  const columns = Columns.safeParse(JSON.parse(new TextDecoder().decode(text)));
  return columns.success ? toStore(columns.data, words.subarray(tokensAt)) : 'damaged';
};

/** A view where the bytes lie on a word, a copy where they do not; undefined when they are no whole words or too few. */
function wordsOf(bytes: Uint8Array): Uint32Array | undefined {
  if (bytes.length % 4 !== 0 || bytes.length < HEADER.words * 4) return undefined;
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}

function toStore(columns: Columns, tokens: Uint32Array): Store {
  const store = createStore(
    columns.fields,
    createVocabulary(columns.terms === '' ? [] : columns.terms.split(TERM_BREAK)),
  );
  let from = 0;
  const rows = columns.ids.map((_, at) => {
    const to = from + (columns.sizes[at] ?? 0);
    const row = rowAt(columns, { at, tokens: tokens.subarray(from, to) });
    from = to;
    return row;
  });
  const lengths = fillPostings(store, rows);
  for (const [at, row] of rows.entries()) addRow(store, { row, length: lengths[at] ?? 0 });
  return store;
}

function rowAt(columns: Columns, { at, tokens }: { at: number; tokens: Uint32Array }): Row {
  const { strings, domains, families, types } = columns;
  const textOf = (number: number | undefined): string => strings[number ?? -1] ?? '';
  return {
    id: columns.ids[at] ?? '',
    domain: textOf(domains[at]),
    family: textOf(families[at]),
    type: textOf(types[at]),
    tags: (columns.tags[at] ?? []).map(textOf),
    trust: columns.trust[at] ?? 'quarantined',
    used: columns.used[at] ?? 0,
    helped: columns.helped[at] ?? 0,
    hurt: columns.hurt[at] ?? 0,
    created_at: columns.created[at] ?? 0,
    tokens,
  };
}
