// What comes with a function's code: the harness packages of hca and the first holarchy, as JSON beside its bundle (scripts/shipped.ts writes them).
// So a deployment is never without them, whichever tenant asks first, and a release brings its own.
import { readFile } from 'node:fs/promises';
import type * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';

/** Reads a file beside the bundle when it is first asked for, once for a process. @throws HcaFault HcaUnavailable where it was built without */
export const shippedFile = <T>(file: string, schema: z.ZodType<T>): (() => Promise<T>) => {
  let read: Promise<T> | undefined;
  return () => {
    read ??= readShipped(new URL(`./${file}`, import.meta.url), schema);
    return read;
  };
};

const readShipped = async <T>(file: URL, schema: z.ZodType<T>): Promise<T> => {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw new HcaFault('HcaUnavailable', {
      message: `${file.pathname}, which comes with this function, cannot be used`,
      field: 'deployment',
      remedy: 'build and deploy it again: npm run deploy',
      retryable: false,
      cause,
    });
  }
};
