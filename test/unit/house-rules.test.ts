// The house rules hold on the real tree, and each is shown to be noticed when it is broken in a planted one.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { houseRules } from '#scripts/house-rules.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FINE = '// What lives here.\nexport const a = 1;\n';

let tree: string;
beforeEach(() => {
  tree = mkdtempSync(path.join(tmpdir(), 'hca-house-'));
});
afterEach(() => rmSync(tree, { recursive: true, force: true }));

test.each([
  ['shared/domain/a.ts', `${FINE}// biome${'-'}ignore lint: because\n`, 'switches a rule off'],
  ['shared/domain/a.ts', `${FINE}// ${'@'}ts-expect-error\n`, 'switches a rule off'],
  ['shared/domain/a.ts', `${FINE}// TO${'DO'} finish\n`, 'is unfinished'],
  ['shared/domain/a.ts', 'export const a = 1;\n', 'has no comment on top'],
  ['shared/domain/index.ts', FINE, 'is a barrel'],
  ['shared/utils/a.ts', FINE, 'the folder is named'],
  ['shared/domain/task-manager.ts', FINE, 'the file is named'],
  ['shared/domain/merge-utils.test.ts', FINE, 'the file is named'],
  ['package-lock.json', '{"resolved": "https://registry.example/a.tgz"}', 'names a registry host'],
])('%s: %j %s', (file, text, problem) => {
  plant(file, text);
  expect(houseRules(tree)).toEqual([expect.stringContaining(`${file}: ${problem}`)]);
});

test.each([
  ['shared/ports/index.ts', FINE],
  ['bin/hca.mjs', `#!/usr/bin/env node\n${FINE}`],
  ['shared/contracts/frozen-tool.ts', FINE],
  ['examples/workspaces/a/src/utils/b.ts', 'export const a = 1;\n'],
  ['node_modules/a/index.ts', 'export const a = 1;\n'],
  ['package-lock.json', '{"packages": {}}'],
])('%s is fine', (file, text) => {
  plant(file, text);
  expect(houseRules(tree)).toEqual([]);
});

test('the real tree keeps them all', () => {
  expect(houseRules(ROOT)).toEqual([]);
});

function plant(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
  writeFileSync(path.join(tree, file), text);
}
