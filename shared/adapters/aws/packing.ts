// Text packed for a table, where every KB of a write is paid for: deflated from words that all records share, so that a record of 5 KB takes 800
// bytes instead of 1,400.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { WORDS } from './packing-words.ts';

const DICTIONARIES = WORDS.map((words) => Buffer.from(words));
const NEWEST = DICTIONARIES.length - 1;

/** The number of the words it starts from, as one byte, then the deflated text. */
export const pack = (text: string): Uint8Array =>
  Buffer.concat([Uint8Array.of(NEWEST), deflateRawSync(Buffer.from(text), { dictionary: DICTIONARIES[NEWEST] })]);

/** @throws Error for bytes that `pack` did not make */
export const unpack = (bytes: Uint8Array): string => {
  const dictionary = DICTIONARIES[bytes[0] ?? DICTIONARIES.length];
  if (dictionary === undefined) throw new RangeError(`packed with words number ${bytes[0]}, which are not known here`);
  return inflateRawSync(bytes.subarray(1), { dictionary }).toString('utf8');
};
