// Builds what the package ships: dist/cli.mjs (the command) and dist/local.mjs (the background process of the embedded host).
// Node refuses to strip types under node_modules, so an installed package needs JavaScript (docs/decisions/0001).

import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BUNDLE } from './bundles/options.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Bundle name and the file it starts from. A bundle lies one folder deep, like its source: `../harnesses` is right in both. */
const ENTRIES = { cli: 'cli/main.ts', local: 'local/main.ts' };

await bundle();

async function bundle(): Promise<void> {
  const missing = Object.values(ENTRIES).filter((file) => !existsSync(`${root}${file}`));
  if (missing.length > 0) throw new Error(`Nothing to build from: ${missing.join(', ')} is missing.`);
  rmSync(`${root}dist`, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: ENTRIES,
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    ...BUNDLE,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'info',
  });
}
