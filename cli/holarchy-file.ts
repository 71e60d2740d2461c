// A holarchy or a card from a file that was named on the command line, checked before it is sent.
import type * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';
import { type FileUse, readDocument } from './criteria-file.ts';

const FILE: FileUse = { field: 'file', remedy: 'compare it with "hca holarchy show"' };

/** What a file holds. Fields are named as in the file: `holons[2].parent`. @throws HcaFault HcaBadInput naming the field */
export const readAs = <T>(schema: z.ZodType<T>, { file, cwd, top }: { file: string; cwd: string; top: string }): T => {
  const read = schema.safeParse(readDocument(file, cwd, FILE));
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const field = (issue?.path ?? []).reduce<string>(
    (path, key) => (typeof key === 'number' ? `${path}[${key}]` : `${path}.${String(key)}`),
    top,
  );
  throw new HcaFault('HcaBadInput', {
    message: `${field.replace(/^\./, '') || 'the file'}: ${issue?.message ?? 'not as expected'}`,
    field: field.replace(/^\./, '') || 'file',
    remedy: FILE.remedy,
  });
};
