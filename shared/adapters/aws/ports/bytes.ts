// The bucket of bytes, for the ports that keep something in it. The client of S3 is a fifth of a bundle, and loaded with the first byte.

import { VARIABLES } from '#shared/contracts/storage.ts';
import type { Objects } from '../s3-objects.ts';
import { type Variables, variable } from './environment.ts';

/** @throws HcaFault HcaBadInput naming the variable of the bucket */
export const bytesOf = (variables: Variables): Objects => {
  variable(variables, VARIABLES.bucket);
  let loaded: Promise<Objects> | undefined;
  const objects = (): Promise<Objects> => {
    loaded ??= import('./bucket.ts').then(({ bucketOf }) => bucketOf(variables).objects);
    return loaded;
  };
  return {
    put: async (key, object) => (await objects()).put(key, object),
    get: async (key) => (await objects()).get(key),
    head: async (key) => (await objects()).head(key),
    list: async (prefix) => (await objects()).list(prefix),
    remove: async (keys) => (await objects()).remove(keys),
  };
};
