// Small workspaces for one fault each: a linter that complains, tests beside it, and whatever a test adds.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { BIOME, biomeConfig, type Files, greeting, manifest } from './generated-parts.ts';
import { writeWorkspace } from './generated-workspaces.ts';

const TOP = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'hca-small-')));
afterAll(() => rmSync(TOP, { recursive: true, force: true }));

/** A folder with these files, biome installed, no repository. */
export const project = (name: string, files: Files, packages = ['@biomejs/biome']): string => {
  const folder = path.join(TOP, name);
  mkdirSync(folder, { recursive: true });
  writeWorkspace({ files, packages, git: false }, folder);
  return folder;
};

/** Scripts of a package that lints with biome; an untidy source. */
export const linted = (scripts: Record<string, string> = {}): Files => ({
  ...manifest('small', { scripts: { lint: 'biome check src', ...scripts }, devDependencies: BIOME }),
  ...biomeConfig,
  ...greeting,
});

/** A test file for node:test with this body. */
export const nodeTest = (body: string): string =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n\n${body}\n`;
