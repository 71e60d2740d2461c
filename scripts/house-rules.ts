// House rules that neither Biome nor the compiler checks: no limit switched off in a file, no folder or file named after nothing,
// no barrels, a comment on top of every file, no registry host in the lock file (docs/architecture.md, "Writing rules").

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Not ours, generated, or (the example workspaces and test fixtures) deliberately somebody else's style. */
const ELSEWHERE = /(^|\/)(node_modules|dist|coverage|fixtures|\.git|\.reports|examples\/workspaces)(\/|$)/;
const SOURCE = /\.(ts|tsx|mjs|cjs)$/;
const VAGUE_FOLDER = /(^|\/)(utils?|common|helpers?|types)\//;
const VAGUE_FILE = /(^|[-/])(managers?|services?|helpers?|utils?)([-.][^/]*)?$/;
/** Spelt in two halves, or this file would break its own rules. */
const SWITCHED_OFF = new RegExp(
  `^\\s*(//|/\\*|\\{/\\*)\\s*(biome${'-'}ignore|${'@'}ts-(ignore|nocheck|expect-error))`,
  'm',
);
const UNFINISHED = new RegExp(`\\b(TO${'DO'}|FIX${'ME'})\\b`);
const ONLY_BARREL = 'shared/ports/index.ts';

/** Everything wrong with the tree under `root`, one line each: `path: what is wrong`. */
export const houseRules = (root: string): string[] => listFiles(root, '').flatMap((file) => checkFile(root, file));

function listFiles(root: string, folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name);
    if (ELSEWHERE.test(name)) return [];
    return entry.isDirectory() ? listFiles(root, name) : [name];
  });
}

function checkFile(root: string, file: string): string[] {
  const wrong: string[] = [];
  if (VAGUE_FOLDER.test(file)) wrong.push('the folder is named after nothing in particular');
  if (file === 'package-lock.json' && /"resolved"/.test(read(root, file))) wrong.push('names a registry host');
  if (SOURCE.test(file)) wrong.push(...checkSource(file, read(root, file)));
  return wrong.map((what) => `${file}: ${what}`);
}

function checkSource(file: string, text: string): string[] {
  const rules: [boolean, string][] = [
    [VAGUE_FILE.test(file), 'the file is named after nothing in particular'],
    [/(^|\/)index\.ts$/.test(file) && file !== ONLY_BARREL, 'is a barrel'],
    [!/^(#!.*\n)?(\/\/|\/\*)/.test(text), 'has no comment on top that says what lives here'],
    [SWITCHED_OFF.test(text), 'switches a rule off'],
    [UNFINISHED.test(text), 'is unfinished'],
  ];
  return rules.filter(([isWrong]) => isWrong).map(([, what]) => what);
}

function read(root: string, file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

if (import.meta.main) {
  const problems = houseRules(ROOT);
  for (const problem of problems) console.error(problem);
  console.log(`${problems.length} house rules broken`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
