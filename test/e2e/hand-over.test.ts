// A folder that only this person's machine has, on a host elsewhere: handed over by hash, worked on there, and its change written here by the command,
// all or nothing (architecture 9).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClient } from '#test/support/acp.ts';
import { startAcp, streamOf, wireOf } from '#test/support/acp-wires.ts';
import { makePlace, type Place } from '#test/support/command.ts';
import { AUDIENCE, type Issuer, startIssuer } from '#test/support/issuer.ts';

/** A linter that is part of the project, so that nothing has to be installed at the host. */
const LINTER = `import { readFileSync, writeFileSync } from 'node:fs';
const text = readFileSync('words.txt', 'utf8');
if (process.argv.includes('--fix')) writeFileSync('words.txt', text.replaceAll('bad', 'good'));
else if (text.includes('bad')) { console.error('words.txt:1 bad word'); process.exit(1); }
`;
const PACKAGE = JSON.stringify({
  name: 'words',
  type: 'module',
  scripts: { lint: 'node lint.js', 'lint:fix': 'node lint.js --fix' },
});

let issuer: Issuer;
let there: Place;
let here: Place;
let own: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  issuer = await startIssuer();
  there = makePlace();
  here = makePlace();
  own = path.join(here.top, 'own');
  mkdirSync(own);
  for (const [name, text] of Object.entries({ 'package.json': PACKAGE, 'lint.js': LINTER, 'words.txt': 'bad\n' }))
    writeFileSync(path.join(own, name), text);
  const listen = ['--listen', '127.0.0.1:0', '--issuer', issuer.url, '--audience', AUDIENCE, '--tenant', 'acme'];
  const up = await there.hca(['up', ...listen, '--json']);
  const port = /:(\d+)/.exec(JSON.parse(up.out).listens)?.[1];
  env = { HCA_ENDPOINT: `ws://127.0.0.1:${port}/acp`, HCA_TOKEN: await issuer.sign({ claims: { tenant: 'acme' } }) };
});
afterAll(async () => {
  await there.close();
  await here.close();
  await issuer.close();
});

const hca = (...args: string[]) => here.hca(args, { env });
const words = () => readFileSync(path.join(own, 'words.txt'), 'utf8');

it('is handed over once, worked on elsewhere, and its change is written here, all or nothing', async () => {
  const first = await hca('run', 'make lint pass', '--workspace', own);
  expect(first).toMatchObject({ exit: 0, out: expect.stringContaining('Handed over 3 of 3') });
  expect(words()).toBe('bad\n');
  const again = await hca('run', 'make lint pass', '--workspace', own);
  expect(again).toMatchObject({ exit: 0, out: expect.stringContaining('Handed over 0 of 3') });
  expect(await hca('apply', '--check')).toMatchObject({ exit: 0 });
  writeFileSync(path.join(own, 'words.txt'), 'bad and edited\n');
  expect(await hca('apply')).toMatchObject({ exit: 2, out: expect.stringContaining('Nothing was written') });
  expect(words()).toBe('bad and edited\n');
  writeFileSync(path.join(own, 'words.txt'), 'bad\n');
  expect(await hca('apply')).toMatchObject({ exit: 0, out: expect.stringContaining('1 files written to') });
  expect(words()).toBe('good\n');
});

it('a folder of the host that nobody offers is not looked into', async () => {
  expect(await hca('run', 'make lint pass', '--workspace', own, '--on-host')).toMatchObject({
    exit: 2,
    err: expect.stringContaining('no work is done in'),
  });
});

it('an editor over the bridge: its folder goes along, and it writes the accepted change itself', async () => {
  writeFileSync(path.join(own, 'words.txt'), 'bad again\n');
  const child = startAcp([], { ...env, HCA_HOME: here.home });
  const client = new TestClient(wireOf(streamOf(child)));
  await client.hello({ fs: { readTextFile: true, writeTextFile: true } });
  const sessionId = await client.newSession(own);
  const prompt = await client.beginPrompt(sessionId, 'make lint pass');
  const question = await client.wire.until(({ method }) => method === 'session/request_permission');
  expect(question.params?.toolCall.title).toContain(own);
  await client.reply(question, { outcome: { outcome: 'selected', optionId: 'once' } });
  const read = await client.wire.until(({ method }) => method === 'fs/read_text_file');
  expect(read.params?.path).toBe(path.join(own, 'words.txt'));
  await client.reply(read, { content: words() });
  const write = await client.wire.until(({ method }) => method === 'fs/write_text_file');
  expect(write.params?.content).toBe('good again\n');
  await client.reply(write, {});
  expect((await client.answerTo(prompt)).result).toEqual({ stopReason: 'end_turn' });
  child.stdin?.end();
});
