// Every function's bundle starts: it is built, imported on a thread of its own with the variables that its stack sets and nothing else, exports a handler,
// contains the ports of its row and is small enough (aws.md: an ES module bundle may die with "Dynamic require").
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { buildFunctions, functionNames } from '#scripts/build-functions.ts';
import { type Bundle, tooLarge } from '#scripts/bundles/weight.ts';
import { accessOf, FUNCTIONS, type FunctionName } from '#shared/contracts/access.ts';
import { HolarchyFile } from '#shared/contracts/holon.ts';
import { HarnessPackage } from '#shared/contracts/profile.ts';
import { certification, codeFix } from '#test/support/code-fix.ts';
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

/** Imports a bundle as Lambda does, with modules and an environment of its own; what it prints, and last what it exports or the error. */
const start = async (name: string, variables: Record<string, string>): Promise<string> => {
  const script = `import('${process.cwd()}/dist/functions/${name}/index.mjs')
    .then((m) => console.log(typeof m.handler), (e) => console.log(e.name, e.message)).then(() => process.exit());`;
  const env = { AWS_REGION: 'us-east-1', ...variables };
  const thread = new Worker(script, { eval: true, execArgv: [], stdout: true, env });
  return (await text(thread.stdout)).trim();
};

const Listed = z.object({ result: z.object({ harnesses: z.array(z.unknown()) }) });

/** DynamoDB with nothing in it. */
const emptyTables = (): Promise<string> =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      const isQuery = String(request.headers['x-amz-target']).endsWith('.Query');
      response.end(isQuery ? '{"Items":[],"Count":0}' : '{}');
    });
    onTestFinished(() => void server.close());
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

/** Asks the door's bundle as API Gateway does, in a process of its own; the answer's frame. */
const askBundled = async (method: string, variables: Record<string, string>): Promise<unknown> => {
  const event = {
    rawPath: '/rpc',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }),
    isBase64Encoded: false,
    requestContext: { http: { method: 'POST' }, authorizer: { iam: { userArn: 'arn:aws:iam::1:user/x' } } },
  };
  const script = `const { handler } = await import('${process.cwd()}/dist/functions/acp/index.mjs');
    const answer = await handler(${JSON.stringify(event)}, { functionName: 'acp', awsRequestId: '1', getRemainingTimeInMillis: () => 10000 });
    console.log('\\nanswer:' + answer.body); process.exit(0);`;
  const env = { PATH: process.env.PATH ?? '', AWS_REGION: 'us-east-1', ...variables };
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { env });
  return JSON.parse(/^answer:(.*)$/m.exec(stdout)?.[1] ?? 'null');
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

  test('what is missing is named at the start, and rings', async () => {
    const { HCA_TABLE_TASKS, ...rest } = environmentOf('accept');
    expect(HCA_TABLE_TASKS).toBeDefined();
    const said = await start('accept', rest);
    expect(said).toMatch(/^\{"_aws":.*"Namespace":"hca-dev".*"Bug":1\}\n/);
    expect(said).toMatch(/\nHcaBadInput the environment variable HCA_TABLE_TASKS is not set$/);
  });

  test('a door that asks for tokens starts with the issuer and for whom tokens are, and names what is missing', async () => {
    const issuer = { ...environmentOf('acp'), HCA_ISSUER: 'https://login.example.org' };
    expect(await start('acp', issuer)).toMatch(/\nHcaBadInput the environment variable HCA_AUDIENCE is not set$/);
    expect(await start('acp', { ...issuer, HCA_AUDIENCE: 'hca' })).toBe('function');
  });

  test('each contains the ports of its row and no others', () => {
    const known = new Set(FUNCTIONS.flatMap((name) => Object.keys(accessOf(name))));
    for (const { name, ports } of bundles.filter((bundle) => bundle.name !== 'authorize')) {
      const granted = Object.keys(accessOf(nameOf(name)));
      expect(
        ports.filter((port) => known.has(port) && !granted.includes(port) && port !== 'workspaces' && port !== 'clock'),
        name,
      ).toEqual([]);
      // At a door the content of snapshots is the port `store`; who only lets go of tools has `releasing`.
      const has = (port: string, access: string) =>
        ports.includes(port) ||
        (port === 'workspaces' && ports.includes('store')) ||
        (access === 'release' && ports.includes('releasing') && !ports.includes(port));
      expect(
        Object.entries(accessOf(nameOf(name))).filter(([port, access]) => !has(port, access)),
        name,
      ).toEqual([]);
    }
  });

  test('the packages of hca and the first holarchy lie beside whatever reads them', async () => {
    const lays = (folder: string, file: string) => existsSync(`dist/functions/${folder}/${file}`);
    for (const { name, ports } of bundles) {
      expect(lays(name, 'harnesses.json'), name).toBe(ports.includes('profiles'));
      expect(lays(name, 'holarchy.json'), name).toBe(ports.includes('holons'));
    }
    const packages = z
      .array(HarnessPackage)
      .parse(JSON.parse(readFileSync('dist/functions/plan/harnesses.json', 'utf8')));
    expect(packages).toEqual([certification, codeFix]);
    HolarchyFile.parse(JSON.parse(readFileSync('dist/functions/plan/holarchy.json', 'utf8')));
  });

  test('a door with empty tables answers with them', async () => {
    const url = await emptyTables();
    const env = {
      ...environmentOf('acp'),
      AWS_ENDPOINT_URL_DYNAMODB: url,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    };
    const listed = Listed.parse(await askBundled('_hca/harness/list', env));
    expect(listed.result.harnesses).toMatchObject([
      { name: 'certification', origin: 'shipped', holons: [] },
      { name: 'code-fix', origin: 'shipped', holons: ['developer', 'refactorer'] },
    ]);
  });

  test('none is too large', () => {
    expect(tooLarge(bundles)).toEqual([]);
    const one = { name: 'x', start: 500_000, whole: 680_000, s3: true, ports: [] };
    expect(tooLarge([one])).toEqual([]);
    expect(tooLarge([{ ...one, whole: 680_001 }])).toEqual(['x has 680001 bytes in all, its limit with S3 is 680000']);
    expect(tooLarge([{ ...one, s3: false }])).toEqual(['x has 680000 bytes in all, its limit without S3 is 520000']);
    expect(tooLarge([{ ...one, name: 'plan', start: 680_001, whole: 700_000 }])).toEqual([
      'plan has 680001 bytes to start, its limit with S3 is 680000',
    ]);
  });
});

function nameOf(name: string): FunctionName {
  const found = FUNCTIONS.find((one) => one === name);
  if (found === undefined) throw new Error(`no function ${name}`);
  return found;
}
