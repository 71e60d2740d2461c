// Reads the file behind --criteria: YAML or JSON, a list, or an object with the list `criteria`.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';

/** 40 criteria of at most 4,000 characters fit six times over. */
const MOST_BYTES = 1024 * 1024;

const CriteriaFile = z.union([
  z.array(z.unknown()),
  z.strictObject({ criteria: z.array(z.unknown()) }).transform((file) => file.criteria),
]);

/** The entries of a file, as they stand there; what each means is read behind the door. @throws HcaFault HcaBadInput naming `criteria`. */
export const readCriteria = (file: string, cwd: string): unknown[] => {
  const list = CriteriaFile.safeParse(readDocument(file, cwd));
  if (!list.success || list.data.length === 0) throw wrong(file, 'it is not a list of criteria');
  return list.data;
};

/** A YAML or JSON file as a value. @throws HcaFault HcaBadInput naming the option. */
export const readDocument = (file: string, cwd: string): unknown => parsed(read(path.resolve(cwd, file)), file);

const read = (file: string): string => {
  try {
    if (statSync(file).size > MOST_BYTES) throw wrong(file, `it is larger than ${MOST_BYTES} bytes`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof HcaFault) throw error;
    throw wrong(file, error instanceof Error ? error.message : String(error));
  }
};

const parsed = (text: string, file: string): unknown => {
  try {
    return parse(text, { maxAliasCount: 100 });
  } catch (error) {
    throw wrong(file, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
};

const wrong = (file: string, reason: string): HcaFault =>
  new HcaFault('HcaBadInput', {
    message: `the file ${file} cannot be used: ${reason}`,
    field: 'criteria',
    remedy: 'see hca help criteria for what such a file looks like',
  });
