// Bundles every function of the cloud host into dist/functions/<name>/: index.mjs with what it needs to start, and beside it what is only loaded
// when it is first used. Run alone it prints the sizes and fails past the limits; a deployment runs it first (cdk.json).

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import * as z from 'zod';
import { layShipped, shippedTexts } from '#scripts/shipped.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = 'dist/functions';

/** Most bytes, minified, that a function may load to start: without and with the client of S3 (aws.md: 59 and 69 ms to import). */
export const LIMITS = { without_s3: 520_000, with_s3: 680_000 };

/** Some dependencies are CommonJS and call require(); an ES module has none. The long name cannot meet one of ours. */
const BANNER =
  "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);";

/** What was bundled when, so that an unchanged function is not bundled again. */
const BUILT = `${ROOT}dist/functions.json`;

/** A function's bundle: bytes loaded to start, bytes loaded when first used, whether S3 is in it, and the port modules it contains. */
const Bundle = z.object({
  name: z.string(),
  start: z.int(),
  later: z.int(),
  s3: z.boolean(),
  ports: z.array(z.string()),
});
export type Bundle = z.infer<typeof Bundle>;

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
  const before = existsSync(BUILT) ? z.array(Built).parse(JSON.parse(readFileSync(BUILT, 'utf8'))) : [];
  const built = await Promise.all(functionNames().map((name) => fresh(before, name) ?? bundle(name)));
  writeFileSync(BUILT, JSON.stringify(built));
  const shipped = await shippedTexts();
  for (const { bundle: one } of built) layShipped(`${ROOT}${OUT}/${one.name}`, one.ports, shipped);
  return built.map(({ bundle: one }) => one);
};

/** A bundle that is still good: nothing that went into it, this script included, was touched since. */
const fresh = (before: readonly Built[], name: string): Built | undefined => {
  const known = before.find((one) => one.bundle.name === name);
  const isThere = existsSync(`${ROOT}${OUT}/${name}/index.mjs`);
  return known !== undefined && isThere && stampOf(known.inputs) === known.stamp ? known : undefined;
};

const stampOf = (inputs: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const file of ['scripts/build-functions.ts', ...inputs]) {
    const about = statSync(`${ROOT}${file}`, { throwIfNoEntry: false });
    hash.update(`${file} ${about?.mtimeMs} ${about?.size}\n`);
  }
  return hash.digest('hex');
};

/** What is wrong with the sizes, one line each. */
export const tooLarge = (bundles: readonly Bundle[]): string[] =>
  bundles
    .filter(({ start, s3 }) => start > limitOf(s3))
    .map(
      ({ name, start, s3 }) =>
        `${name} loads ${start} bytes to start, the limit ${s3 ? 'with' : 'without'} S3 is ${limitOf(s3)}`,
    );

const limitOf = (s3: boolean): number => (s3 ? LIMITS.with_s3 : LIMITS.without_s3);

const bundle = async (name: string): Promise<Built> => {
  rmSync(`${ROOT}${OUT}/${name}`, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { index: `functions/${name}/handler.ts` },
    outdir: `${OUT}/${name}`,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minify: true,
    mainFields: ['module', 'main'],
    conditions: ['module'],
    banner: { js: BANNER },
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    plugins: [leaner],
    logLevel: 'warning',
  });
  const inputs = Object.keys(metafile.inputs);
  return { bundle: measured(name, metafile), inputs, stamp: stampOf(inputs) };
};

/**
 * Leaves out what is never used. Lambda gives credentials by its environment alone, so the SDK's chain of other providers goes (a quarter of a bundle).
 * A client's description of all its operations is one file of arrays that the bundler dares not drop singly; as calls marked pure it does (55 KB of S3).
 * Of its package.json it asks the version.
 */
const leaner: Plugin = {
  name: 'leaner',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, () => ({
      path: `${ROOT}shared/adapters/aws/environment-credentials.ts`,
    }));
    onLoad({ filter: /@aws-sdk\/client-[\w-]+\/package\.json$/ }, async ({ path }) => ({
      contents: JSON.stringify({ version: Named.parse(JSON.parse(await readFile(path, 'utf8'))).version }),
      loader: 'json',
    }));
    onLoad({ filter: /@aws-sdk\/client-[\w-]+\/dist-es\/schemas\/schemas_0\.js$/ }, async ({ path }) => ({
      contents: droppable(await readFile(path, 'utf8')),
    }));
  },
};

const Named = z.looseObject({ version: z.string() });

/** `export var Name = [ … ];` as a pure call that gives the same. Arrays refer to others through functions, so nothing is read too early. */
const droppable = (text: string): string =>
  text.replaceAll(/^((?:export )?var \w+\$?) = (\[[\s\S]*?\n?\]);$/gm, '$1 = /* @__PURE__ */ (() => $2)();');

const measured = (name: string, { inputs, outputs }: Metafile): Bundle => {
  const code = Object.entries(outputs).filter(([file]) => file.endsWith('.mjs'));
  const all = code.reduce((sum, [, { bytes }]) => sum + bytes, 0);
  const started = [...startedWith(outputs, `${OUT}/${name}/index.mjs`)].flatMap((file) => outputs[file] ?? []);
  const start = started.reduce((sum, { bytes }) => sum + bytes, 0);
  const ports = Object.keys(inputs).flatMap(
    (file) => /^shared\/adapters\/aws\/ports\/([a-z]+)[.]ts$/.exec(file)?.[1] ?? [],
  );
  const s3 = Object.keys(inputs).some((file) => file.includes('@aws-sdk/client-s3/'));
  return { name, start, later: all - start, s3, ports: ports.sort() };
};

/** An output and everything it imports without being asked to at run time. */
const startedWith = (outputs: Metafile['outputs'], first: string, seen = new Set<string>()): Set<string> => {
  seen.add(first);
  for (const { path, kind } of outputs[first]?.imports ?? [])
    if (kind === 'import-statement' && path in outputs && !seen.has(path)) startedWith(outputs, path, seen);
  return seen;
};

if (import.meta.main) {
  const bundles = await buildFunctions();
  for (const { name, start, later, s3 } of bundles)
    console.log(
      `${name.padEnd(10)} ${String(start).padStart(8)} bytes${s3 ? ' with S3' : ''}${later > 0 ? `, ${later} when first used` : ''}`,
    );
  const problems = tooLarge(bundles);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
