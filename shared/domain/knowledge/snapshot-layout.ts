// How a snapshot lies in bytes: a header of eight 32-bit words, the strings and small numbers as JSON, then all tokens as words.
// Postings are not in it: they are counted anew, which is faster than reading them and cannot disagree with the tokens.
import * as z from 'zod';
import type { Trust } from './index-entry.ts';

/** "HCAX" in little endian; on a machine of the other order it does not match, and the snapshot is built anew. */
export const MAGIC = 0x58414348;
/** Raised whenever the layout, the fields' meaning or the reading of text changes: an older snapshot is then no use. */
export const VERSION = 1;
/** Words of the header: magic, version, checksum of all that follows it, bytes of the JSON, tokens, entries, and two spare. */
export const HEADER = { magic: 0, version: 1, checksum: 2, text: 3, tokens: 4, entries: 5, words: 8 } as const;

/** A column of a hundred thousand: only that it is a list is checked here, its elements are the checksum's. */
const numbers = z.custom<number[]>(Array.isArray);

/** The JSON part. Columns have one element for each entry; `strings` holds what the columns of domains, families, types and tags point at. */
export const Columns = z.object({
  fields: z.array(z.object({ name: z.string(), weight: z.int().min(1).max(15) })),
  terms: z.string(),
  strings: z.array(z.string()),
  ids: z.custom<string[]>(Array.isArray),
  domains: numbers,
  families: numbers,
  types: numbers,
  tags: z.custom<number[][]>(Array.isArray),
  trust: z.custom<Trust[]>(Array.isArray),
  used: numbers,
  helped: numbers,
  hurt: numbers,
  created: numbers,
  sizes: numbers,
});
export type Columns = z.infer<typeof Columns>;

/** Between terms: no term holds it, for a term is letters, digits and marks. */
export const TERM_BREAK = '\n';
