// Every function's bundle starts: it is built, imported in a process of its own with the variables that its stack sets, exports a handler, contains the
// ports of its row and is small enough (aws.md: an ES module bundle may die with "Dynamic require").
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Bundle, buildFunctions, functionNames, tooLarge } from '#scripts/build-functions.ts';
import { accessOf, FUNCTIONS, type FunctionName } from '#shared/contracts/access.ts';
import { propertiesOf, templatesOf } from '#test/support/synth.ts';

const run = promisify(execFile);
const functions = Object.values(propertiesOf(templatesOf('dev').app, 'AWS::Lambda::Function'));

/** What the stack sets, with a word in place of what is known only when deployed. */
const environmentOf = (name: string): Record<string, string> => {
  const found = functions.find(({ FunctionName: full }) => full === `hca-dev-${name}`);
  const { Variables } = z.looseObject({ Variables: z.record(z.string(), z.unknown()) }).parse(found?.Environment);
  return Object.fromEntries(
    Object.entries(Variables).map(([key, value]) => [key, typeof value === 'string' ? value : 'https://x.example']),
  );
};

/** Imports a bundle as Lambda does; answers what it exports, or the error. */
const start = async (name: string, variables: Record<string, string>): Promise<string> => {
  const script = `import('${process.cwd()}/dist/functions/${name}/index.mjs').then((m) => console.log(typeof m.handler), (e) => console.log(e.name, e.message))`;
  const env = { PATH: process.env.PATH ?? '', AWS_REGION: 'us-east-1', ...variables };
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { env });
  return stdout.trim();
};

describe('bundles', () => {
  let bundles: Bundle[] = [];
  beforeAll(async () => {
    bundles = await buildFunctions();
  }, 180_000);

  test('there is one for every function of the register', () => {
    expect(functionNames().filter((name) => name !== 'authorize')).toEqual([...FUNCTIONS].sort());
  });

  test.each([...FUNCTIONS])('%s starts with what its stack sets', async (name) => {
    expect(await start(name, environmentOf(name))).toBe('function');
  });

  test('what is missing is named at the start', async () => {
    const { HCA_TABLE_TASKS, ...rest } = environmentOf('accept');
    expect(HCA_TABLE_TASKS).toBeDefined();
    expect(await start('accept', rest)).toBe('HcaBadInput the environment variable HCA_TABLE_TASKS is not set');
  });

  test('each contains the ports of its row and no others', () => {
    const known = new Set(FUNCTIONS.flatMap((name) => Object.keys(accessOf(name))));
    for (const { name, ports } of bundles.filter((bundle) => bundle.name !== 'authorize')) {
      const granted = Object.keys(accessOf(nameOf(name)));
      expect(
        ports.filter((port) => known.has(port) && !granted.includes(port) && port !== 'workspaces' && port !== 'clock'),
        name,
      ).toEqual([]);
      expect(
        granted.filter((port) => !ports.includes(port)),
        name,
      ).toEqual([]);
    }
  });

  test('none is too large', () => {
    expect(tooLarge(bundles)).toEqual([]);
    expect(tooLarge([{ name: 'x', start: 680_001, later: 0, s3: true, ports: [] }])).toHaveLength(1);
  });
});

function nameOf(name: string): FunctionName {
  const found = FUNCTIONS.find((one) => one === name);
  if (found === undefined) throw new Error(`no function ${name}`);
  return found;
}
