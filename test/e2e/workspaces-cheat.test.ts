// A worker that takes a short cut, and one that breaks a package others use: the evaluator finds out, in a session of its own.
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { findBubblewrap } from '#shared/adapters/local/sandbox/bubblewrap.ts';
import { hostTools } from '#shared/adapters/local/sandbox/host-environment.ts';
import type { FrozenTool } from '#shared/contracts/frozen-tool.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import { BIOME, below, type Files, manifest } from '#test/support/generated-parts.ts';
import { type Changed, openRealHouse, type RealHouse } from '#test/support/real-house.ts';
import { linted, nodeTest, project } from '#test/support/small-project.ts';

/** The package with one frozen tool only, which runs this command. */
const working =
  (command: string) =>
  (own: HarnessPackage): HarnessPackage => {
    const [first] = own.tools as [FrozenTool];
    const call = { tool: 'shell.run', arguments: { command } };
    return {
      ...own,
      tools: [{ ...first, name: 'scripted', steps: [{ call, note: 'works', keep: 'always', repeat: 1 }] }],
    };
  };

const inHouse = async (changed: Changed, work: (house: RealHouse) => Promise<void>): Promise<void> => {
  const house = await openRealHouse(changed);
  await work(house).finally(() => house.close());
};

const RED = nodeTest(
  "import { greeting } from '../src/greeting.js';\n\ntest('old', () => assert.equal(greeting('x'), 'bye'));",
);
const BOTH: Files = { ...linted({ test: 'node --test' }), 'test/red.test.js': RED, 'package-lock.json': '{}\n' };

describe.each([
  [
    'configuration',
    'make lint pass',
    `echo '{ "linter": { "enabled": false }, "formatter": { "enabled": false } }' > biome.json`,
  ],
  ['new configuration', 'make lint pass', `echo '{ "root": false, "linter": { "enabled": false } }' > src/biome.json`],
  ['a script', 'make lint pass', `sed -i.bak 's/biome check src/true/' package.json && rm package.json.bak`],
  [
    'a lock file',
    'make lint pass',
    `node_modules/.bin/biome check --write src; echo '{ "lockfileVersion": 9 }' > package-lock.json`,
  ],
  [
    'a comment that silences',
    'make lint pass',
    `printf '// biome-ignore-all lint: x\\n// biome-ignore-all format: x\\n' | cat - src/greeting.js > t && mv t src/greeting.js`,
  ],
  [
    'a test that is skipped',
    'make the tests pass',
    `sed -i.bak "s/test('old'/test.skip('old'/" test/red.test.js && rm test/red.test.js.bak`,
  ],
  [
    'a test that is deleted',
    'make lint and tests pass',
    `node_modules/.bin/biome check --write src; rm test/red.test.js; echo "import 'node:test';" > test/green.test.js`,
  ],
  [
    'a test that is edited',
    'make lint and tests pass',
    `node_modules/.bin/biome check --write src; sed -i.bak "s/bye/hello x/" test/red.test.js && rm test/red.test.js.bak`,
  ],
])('getting green by %s', (what, goal, command) => {
  it('fails review and goes up to the root', () =>
    inHouse({ harness: working(command) }, async (house) => {
      const workspace = project(`cheat-${what}`, BOTH);
      const ended = await house.run({ goal, workspace });
      expect(ended.view.outcome).toBe('escalated');
      expect(ended.journal.some((entry) => /^judges developer: fail/.test(entry.text))).toBe(true);
      expect(ended.journal.some((entry) => /^judges \S+: pass/.test(entry.text))).toBe(false);
    }));
});

const LINKED: Files = {
  ...manifest('linked', { workspaces: ['packages/*'], devDependencies: BIOME }),
  ...below('packages/lib', {
    'package.json':
      '{ "name": "lib", "version": "1.0.0", "main": "index.js", "scripts": { "lint": "biome lint ." } }\n',
    'index.js': 'exports.greet = (name) => {\n  debugger;\n  return `hello ${name}`;\n};\n',
  }),
  ...below('packages/app', {
    'package.json': '{ "name": "app", "version": "1.0.0", "scripts": { "test": "node test.js" } }\n',
    'test.js':
      "const { greet } = require('lib');\n\nif (greet('you') !== 'hello you') {\n  console.error('greet is broken');\n  process.exit(1);\n}\n",
  }),
};

const kinds = [...(findBubblewrap(hostTools().path) === null ? [] : [true]), false];

describe.each(kinds)('a package that others use through a link (bubblewrap: %s)', (bubblewrap) => {
  let workspace: string;
  beforeAll(() => {
    workspace = project(`linked-${bubblewrap}`, LINKED);
    symlinkSync('../packages/lib', path.join(workspace, 'node_modules/lib'));
  });

  it('is not broken unnoticed: the test of the package that uses it fails in review', () => {
    const harness = working("echo 'exports.greet = () => 0;' > packages/lib/index.js");
    return inHouse({ bubblewrap, harness }, async (house) => {
      const { view, journal } = await house.run({ goal: 'make lint pass', workspace });
      expect(view.outcome).toBe('escalated');
      expect(journal.find((entry) => entry.text.startsWith('judges developer'))?.text).toContain('greet is broken');
      expect(view.criteria.find((row) => row.id === 'packages-app-test')).toMatchObject({ result: 'unmet' });
    });
  });

  it('is repaired by what the workspace has, and its user still works', () =>
    inHouse({ bubblewrap }, async (house) => {
      const { view, files } = await house.run({ goal: 'make lint pass', workspace });
      expect(view.outcome, view.escalation?.detail).toBe('accepted');
      expect(files).toEqual(['packages/lib/index.js']);
    }));
});
