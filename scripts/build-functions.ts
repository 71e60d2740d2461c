// Bundles every function of the cloud host into dist/functions/<name>/: index.mjs with what it needs to start, and beside it what is only loaded
// when it is first used. Run alone it prints the sizes and fails past the limits; a deployment runs it first (cdk.json).

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildContext, type BuildOptions, type BuildResult, context, type Plugin } from 'esbuild';
import * as z from 'zod';
import { leaner } from '#scripts/bundles/leaner.ts';
import { BUNDLE } from '#scripts/bundles/options.ts';
import { Bundle, reachedFrom, tooLarge, weighed } from '#scripts/bundles/weight.ts';
import { layShipped, shippedTexts } from '#scripts/shipped.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = 'dist/functions';
/** As deep as the folder of a function, so that its source maps lead back to the sources. */
const DRAFT = `${OUT}/one`;

/** What was bundled when, so that an unchanged function is not bundled again. */
const BUILT = `${ROOT}dist/functions.json`;
const OWN = [
  'scripts/build-functions.ts',
  ...['leaner', 'options', 'weight'].map((name) => `scripts/bundles/${name}.ts`),
  'package.json',
];

const Built = z.object({ bundle: Bundle, inputs: z.array(z.string()), stamp: z.string() });
type Built = z.infer<typeof Built>;

/** Names of the functions: the folders with a handler. */
export const functionNames = (): string[] =>
  readdirSync(`${ROOT}functions`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(`${ROOT}functions/${entry.name}/handler.ts`))
    .map(({ name }) => name)
    .sort();

/** Bundles all of them; one whose files are as they were at the last time is taken as it is. */
export const buildFunctions = async (): Promise<Bundle[]> => {
  const before = remembered();
  const good = new Map(functionNames().flatMap((name) => pairOf(name, fresh(before, name))));
  const stale = functionNames().filter((name) => !good.has(name));
  for (const built of stale.length === 0 ? [] : await bundled(stale)) good.set(built.bundle.name, built);
  const all = functionNames().flatMap((name) => good.get(name) ?? []);
  mkdirSync(`${ROOT}dist`, { recursive: true });
  writeFileSync(BUILT, JSON.stringify(all));
  const shipped = await shippedTexts();
  for (const { bundle: one } of all) layShipped(`${ROOT}${OUT}/${one.name}`, one.ports, shipped);
  return all.map(({ bundle: one }) => one);
};

/** What an earlier bundling wrote, of another version of this script or torn in two perhaps: then nothing is known. */
const remembered = (): Built[] => {
  try {
    return z.array(Built).parse(JSON.parse(readFileSync(BUILT, 'utf8')));
  } catch {
    return [];
  }
};

const pairOf = (name: string, built: Built | undefined): [string, Built][] =>
  built === undefined ? [] : [[name, built]];

/** A bundle that is still good: nothing that went into it, the bundling itself included, was touched since. */
const fresh = (before: readonly Built[], name: string): Built | undefined => {
  const known = before.find((one) => one.bundle.name === name);
  const isThere = existsSync(`${ROOT}${OUT}/${name}/index.mjs`);
  return known !== undefined && isThere && stampOf(known.inputs) === known.stamp ? known : undefined;
};

const stampOf = (inputs: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const file of [...OWN, ...inputs]) {
    const about = statSync(`${ROOT}${file}`, { throwIfNoEntry: false });
    hash.update(`${file} ${about?.mtimeMs} ${about?.size}\n`);
  }
  return hash.digest('hex');
};

/** One after the other with one bundler, which parses a file once for all of them: a third of the work of bundling each alone. */
const bundled = async (names: readonly string[]): Promise<Built[]> => {
  const which = { name: '' };
  process.env.GOGC ??= GENEROUS;
  const bundler = await context({ ...OPTIONS, plugins: [leaner, entryOf(which)] });
  try {
    const built: Built[] = [];
    for (const name of names) {
      which.name = name;
      built.push(written(name, await drafted(bundler)));
    }
    return built;
  } finally {
    await bundler.dispose();
  }
};

/** The bundler's memory may grow to five times of what is in use before it looks for garbage: a seventh less work. */
const GENEROUS = '400';

const ENTRY = 'hca:function';

const OPTIONS = {
  absWorkingDir: ROOT,
  entryPoints: { index: ENTRY },
  outdir: DRAFT,
  outExtension: { '.js': '.mjs' },
  ...BUNDLE,
  splitting: true,
  minify: true,
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  write: false,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** A bundler keeps its entry for life, so the entry is a name for whichever function is next. */
const entryOf = (which: { readonly name: string }): Plugin => ({
  name: 'entry',
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`^${ENTRY}$`) }, () => ({ path: `${ROOT}functions/${which.name}/handler.ts` })),
});

type Drafted = BuildResult<typeof OPTIONS>;

const drafted = (bundler: BuildContext<typeof OPTIONS>): Promise<Drafted> => bundler.rebuild();

/** Lays down what can be reached, with its maps. */
const written = (name: string, { metafile, outputFiles }: Drafted): Built => {
  const folder = `${ROOT}${OUT}/${name}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const first = `${DRAFT}/index.mjs`;
  const reached = reachedFrom(metafile.outputs, first, ['import-statement', 'dynamic-import']);
  for (const { path: file, contents } of outputFiles)
    if (reached.has(`${DRAFT}/${path.basename(file).replace(/[.]map$/, '')}`))
      writeFileSync(path.join(folder, path.basename(file)), contents);
  const inputs = Object.keys(metafile.inputs);
  return { bundle: weighed(name, first, metafile), inputs, stamp: stampOf(inputs) };
};

if (import.meta.main) {
  const bundles = await buildFunctions();
  for (const { name, start, whole, s3 } of bundles)
    console.log(
      `${name.padEnd(10)} ${String(start).padStart(8)} bytes to start, ${whole} in all${s3 ? ', with S3' : ''}`,
    );
  const problems = tooLarge(bundles);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
