// The functions Step Functions adds to JSONata, and the names of all built-in ones (so that a typing error is found at load).
import { createHash, randomUUID } from 'node:crypto';

/** `$uuid()`, `$parse(text)`, `$hash(text, algorithm)`, `$range(first, last, step)`, `$partition(array, size)`. */
export const EXTRA_FUNCTIONS = {
  uuid: (): string => randomUUID(),
  parse: (text: string): unknown => JSON.parse(text),
  hash: (text: string, algorithm = 'SHA-256'): string =>
    createHash(algorithm.replace('-', '')).update(text).digest('hex'),
  range,
  partition,
};

/** True for a function of JSONata 2.0.6 or one of the extra ones. */
export function isBuiltIn(name: string): boolean {
  return name in EXTRA_FUNCTIONS || JSONATA_FUNCTIONS.has(name);
}

const JSONATA_FUNCTIONS = new Set(
  (
    'sum count max min average string substring substringBefore substringAfter lowercase uppercase length trim pad match ' +
    'contains replace split join formatNumber formatBase formatInteger parseInteger number floor ceil round abs sqrt power ' +
    'random boolean not map zip filter single reduce sift keys lookup append exists spread merge reverse each error assert ' +
    'type sort shuffle distinct base64encode base64decode encodeUrlComponent encodeUrl decodeUrlComponent decodeUrl ' +
    'toMillis fromMillis now millis clone'
  ).split(' '),
);

function range(first: number, last: number, step: number): number[] {
  if (step === 0) throw new Error('$range needs a step other than 0');
  const count = Math.max(0, Math.floor((last - first) / step) + 1);
  if (count > 1_000) throw new Error('$range yields at most 1,000 numbers');
  return Array.from({ length: count }, (_, index) => first + index * step);
}

function partition(array: readonly unknown[], size: number): unknown[][] {
  if (!Number.isInteger(size) || size < 1) throw new Error('$partition needs a whole size of at least 1');
  const chunks = Math.ceil(array.length / size);
  return Array.from({ length: chunks }, (_, index) => array.slice(index * size, (index + 1) * size));
}
