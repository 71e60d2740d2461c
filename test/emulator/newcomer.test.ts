// The way of somebody new, as the handbook has it (docs/how-to/deploy.md): deploy, copy the lines that are printed, look, ask what would change. The stacks
// are there already, so deploying again changes nothing; what is printed is the same.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emulatorPython } from '#scripts/emulator/python.ts';
import { emptyStack, stackOf } from '#test/conformance/hosts/stack.ts';
import { keysOf } from './happened.ts';
import { linesOf } from './logs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { HCA_TEST_SANDBOX: sandbox = '', HCA_TEST_ENDPOINT: endpoint } = process.env;
const DEV = ['--env', 'dev', '-c', `sandbox=${sandbox}`];
/** A deployment is built, and the first task on a loaded machine takes its time. */
const PATIENCE = { timeout: 400_000 };

/** Keeps what it is given as a terminal would, and types a line. */
const TERMINAL = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)';

describe.runIf(sandbox !== '')('somebody new', () => {
  let home: string;
  let lines: string[];
  let first = '';
  beforeAll(async () => {
    home = mkdtempSync(path.join(os.tmpdir(), 'hca-newcomer-'));
    await emptyStack(stackOf(process.env));
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const run = async (command: string, args: readonly string[], typed?: string) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, AWS_ENDPOINT_URL: endpoint, HCA_HOME: home, NO_COLOR: '1', CI: 'true' },
      stdio: [typed === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    child.stdin?.end(typed);
    const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const [out, err] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
    return { exit: await exit, out, err };
  };
  const npm = (name: string, ...args: string[]) => run('npm', ['run', '--silent', name, '--', ...args]);
  const printed = (word: string): string => lines.find((line) => line.startsWith(`  npx hca ${word}`))!.trim();

  it(
    'deploys without being asked anything, and is told where it is, how to begin and what it costs',
    PATIENCE,
    async () => {
      const { exit, out } = await npm('deploy', ...DEV);
      expect(exit).toBe(0);
      lines = out.split('\n');
      for (const word of ['Endpoint ', 'WebSocket ', 'Dashboard ', 'Idle: about $'])
        expect(
          lines.filter((line) => line.startsWith(word)),
          word,
        ).toHaveLength(1);
      const again = await npm('outputs', '--env', 'dev');
      expect(again).toMatchObject({ exit: 0, err: '' });
      expect(out).toContain(again.out.trim());
    },
  );

  it('logs in and runs a first task by the lines that were printed', PATIENCE, async () => {
    expect(await run('sh', ['-c', printed('login')])).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/^Logged in at /),
    });
    const ran = await run('sh', ['-c', printed('run')]);
    expect(ran, ran.out + ran.err).toMatchObject({ exit: 0, out: expect.stringContaining('accepted') });
    first = ran.out;
  });

  it('can follow its message from the API to the tables, as docs/follow-a-message.md does', async () => {
    const [task = ''] = /\b01[0-9A-HJKMNP-TV-Z]{24}\b/.exec(first) ?? [];
    const keys = (await Promise.all(stackOf(process.env).tables.map(keysOf))).flat();
    const child = `${task}_10_1`;
    for (const key of [`main#${task} ${task}`, `main#${task} ledger`, `main#${task} ${child}`])
      expect(keys.filter((one) => one === key)).toHaveLength(1);
    for (const begin of [`main#${task} log#`, `main#${task} wait#${child}#`])
      expect(
        keys.some((one) => one.startsWith(begin)),
        begin,
      ).toBe(true);
    const { answer = [] } = await linesOf('/aws/lambda/hca-dev-', `"${task}:0:0"`);
    expect(answer.map((line) => JSON.parse(line))).toMatchObject([
      { message: 'done', step: 'answer', task, root: task, holon: 'root', method: 'hca/task/delegate', word: 'accept' },
    ]);
  });

  it('is told that a deployment would change nothing', PATIENCE, async () => {
    const { exit, out, err } = await npm('diff', ...DEV);
    expect(exit).toBe(0);
    expect(out + err).toContain('There were no differences');
  });

  it('does not destroy production by another name, typed at a terminal', PATIENCE, async () => {
    const command = [process.execPath, 'scripts/destroy.ts', '--env', 'prod'];
    const { exit, out } = await run(emulatorPython(), ['-c', TERMINAL, ...command], 'dev\n');
    expect(exit).toBe(2);
    expect(out).toMatch(/Type its name to go on: .*Nothing was destroyed: type the name of the environment/s);
  });
});
