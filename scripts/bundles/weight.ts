// What a bundle weighs: what is loaded to start, the whole of it, and the limits of both (docs/decisions/0050).

import type { Metafile } from 'esbuild';
import * as z from 'zod';

/** Most bytes, minified, of a function's whole bundle: without and with the client of S3 (aws.md: 59 and 69 ms to import). */
const LIMITS = { without_s3: 520_000, with_s3: 680_000 };

/**
 * Functions whose whole is more; what they load to start is held to the limit, and the whole to this. The doors are our own protocol (290 KB of it);
 * who calls tools has both halves of MCP (350 KB), and who checks documents a JSON schema checker and a YAML parser (240 KB) as well.
 */
const LARGER: Readonly<Record<string, number>> = {
  acp: 870_000,
  stream: 800_000,
  work: 1_450_000,
  judge: 1_450_000,
  plan: 1_450_000,
};

/** A function's bundle: bytes loaded to start, bytes in all, whether S3 is in it, and the port modules it contains. */
export const Bundle = z.object({
  name: z.string(),
  start: z.int(),
  whole: z.int(),
  s3: z.boolean(),
  ports: z.array(z.string()),
});
export type Bundle = z.infer<typeof Bundle>;

/** Weighs the bundle that begins with the output `first`. */
export const weighed = (name: string, first: string, { inputs, outputs }: Metafile): Bundle => {
  const bytesOf = (files: Iterable<string>): number =>
    [...files].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
  const ports = Object.keys(inputs).flatMap(
    (file) => /^shared\/adapters\/aws\/ports\/([a-z]+)[.]ts$/.exec(file)?.[1] ?? [],
  );
  return {
    name,
    start: bytesOf(reachedFrom(outputs, first, ['import-statement'])),
    whole: bytesOf(reachedFrom(outputs, first, ['import-statement', 'dynamic-import'])),
    s3: Object.keys(inputs).some((file) => file.includes('@aws-sdk/client-s3/')),
    ports: ports.sort(),
  };
};

/** An output and every other one that it imports in these ways. The bundler also writes some that nothing imports any more: those are not in it. */
export const reachedFrom = (
  outputs: Metafile['outputs'],
  first: string,
  kinds: readonly string[],
): ReadonlySet<string> => {
  const seen = new Set([first]);
  for (const file of seen)
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kinds.includes(kind) && path in outputs) seen.add(path);
  return seen;
};

/** What is wrong with the sizes, one line each. */
export const tooLarge = (bundles: readonly Bundle[]): string[] =>
  bundles.flatMap((bundle) => {
    const { name, start, whole, s3 } = bundle;
    const limit = s3 ? LIMITS.with_s3 : LIMITS.without_s3;
    return [past(bundle, [start, 'to start'], limit), past(bundle, [whole, 'in all'], LARGER[name] ?? limit)].flat();
  });

const past = ({ name, s3 }: Bundle, [bytes, what]: readonly [number, string], most: number): string[] =>
  bytes > most ? [`${name} has ${bytes} bytes ${what}, its limit ${s3 ? 'with' : 'without'} S3 is ${most}`] : [];
