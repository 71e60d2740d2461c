// Another generation's client: `acpx` (SDK 1.x) drives `hca acp` and the bridge to a host, says no, and says yes.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ended, makePlace, makeProject, type Place, type Ran } from '#test/support/command.ts';

const ACPX = fileURLToPath(new URL('../../node_modules/acpx/dist/cli.js', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

let place: Place;
let project: string;
beforeEach(() => {
  place = makePlace();
  project = makeProject(place.top);
});
afterEach(() => place.close());

/** acpx keeps its own records in its home folder, which is the test's. */
const acpx = (args: string[], more: NodeJS.ProcessEnv = {}): Promise<Ran> => {
  const agent = [process.execPath, '--disable-warning=ExperimentalWarning', PROGRAM, 'acp'];
  const endpoint = more.ENDPOINT === undefined ? [] : ['--endpoint', more.ENDPOINT, '--on-host'];
  const child = spawn(process.execPath, [ACPX, '--agent', [...agent, ...endpoint].join(' '), ...args], {
    cwd: project,
    env: { ...process.env, HOME: place.top, HCA_HOME: place.home, HCA_IDLE_MINUTES: '5', ...more },
  });
  child.stdin.end();
  return ended(child);
};

const content = () => readFileSync(path.join(project, 'sum.js'), 'utf8');

it('exec: no leaves the folder as it was, yes changes it', async () => {
  const before = content();
  const denied = await acpx(['--deny-all', 'exec', 'make lint pass']);
  expect(denied.out).toContain('[done] end_turn');
  expect(denied.out).toContain('Not applied: refused');
  expect(content()).toBe(before);
  const approved = await acpx(['--approve-all', 'exec', 'make lint pass']);
  expect(approved.out).toContain('Written: sum.js');
  expect(content()).not.toBe(before);
});

it('the same through the bridge to a host', async () => {
  const { port } = await place.json(['up']).then(() => place.hostFile());
  const token = readFileSync(path.join(place.home, 'token'), 'utf8');
  const ran = await acpx(['--approve-all', 'exec', 'what can you do?'], {
    ENDPOINT: `ws://127.0.0.1:${port}/acp`,
    HCA_TOKEN: token,
  });
  expect(ran.out).toContain('What I can do');
  expect(ran.out).toContain('[done] end_turn');
});
