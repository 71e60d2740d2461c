// Reads a YAML or JSON file that was named on the command line; for --criteria a list, or an object with the list `criteria`.
import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';

/** 40 criteria of at most 4,000 characters fit six times over; a holarchy of 3,000 holons as well. */
const MOST_BYTES = 1024 * 1024;

const CriteriaFile = z.union([
  z.array(z.unknown()),
  z.strictObject({ criteria: z.array(z.unknown()) }).transform((file) => file.criteria),
]);

/** Which word of the command line named the file, and where to read what such a file looks like. */
export interface FileUse {
  field: string;
  remedy: string;
}

const CRITERIA: FileUse = { field: 'criteria', remedy: 'see hca help criteria for what such a file looks like' };

/** The entries of a file, as they stand there; what each means is read behind the door. @throws HcaFault HcaBadInput naming `criteria`. */
export const readCriteria = (file: string, cwd: string): unknown[] => {
  const list = CriteriaFile.safeParse(readDocument(file, cwd, CRITERIA));
  if (list.success && list.data.length > 0) return list.data;
  throw wrong(file, 'it is not a list of criteria', CRITERIA);
};

/** A YAML or JSON file as a value. @throws HcaFault HcaBadInput naming the field of its use. */
export const readDocument = (file: string, cwd: string, use: FileUse): unknown => {
  const text = read(path.resolve(cwd, file), use);
  try {
    return parse(text, { maxAliasCount: 100, logLevel: 'error' });
  } catch (error) {
    throw wrong(file, messageOf(error), use);
  }
};

/** Never more than the limit is read, also of a file without an end; a byte order mark is no part of the text. */
const read = (file: string, use: FileUse): string => {
  const bytes = Buffer.alloc(MOST_BYTES + 1);
  let length = 0;
  try {
    const opened = openSync(file, 'r');
    try {
      for (let got = -1; got !== 0 && length <= MOST_BYTES; length += got)
        got = readSync(opened, bytes, length, bytes.length - length, null);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw wrong(file, messageOf(error), use);
  }
  if (length > MOST_BYTES) throw wrong(file, `it is larger than ${MOST_BYTES} bytes`, use);
  return new TextDecoder().decode(bytes.subarray(0, length));
};

const messageOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n')[0] ?? '').replace(/:$/, '') : String(error);

const wrong = (file: string, reason: string, { field, remedy }: FileUse): HcaFault =>
  new HcaFault('HcaBadInput', { message: `the file ${file} cannot be used: ${reason}`, field, remedy });
