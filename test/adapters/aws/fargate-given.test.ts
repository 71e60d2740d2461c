// The tasks' server is the one that OpenHands publishes, started as the stack starts it, without the container: it sleeps, takes one key once, and then is
// a sandbox. Runs where its command is given (HCA_TEST_OPENHANDS_START, docs/how-to/sandbox.md).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stateOf, wake } from '#shared/adapters/aws/agent-server-wake.ts';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import { OpenHandsSandbox } from '#shared/adapters/open/openhands-sandbox.ts';
import { sandboxContainer, templatesOf } from '#test/support/synth.ts';
import { folder, layOut } from '../local/sandbox/folders.ts';
import { FargateRig } from './fargate-rig.ts';
import { freePort, type RigTask } from './fargate-servers.ts';

/** Sessions that reach for the one task at once. */
const IDS = ['a', 'b', 'c', 'd'];

const START = process.env.HCA_TEST_OPENHANDS_START?.split(' ');

let child: ChildProcess;
const starting = async (task: RigTask, port: number): Promise<void> => {
  if (task.taskArn !== 'arn:task/0') return;
  const { environment, command } = sandboxContainer(templatesOf('prod').sandbox);
  const [program = '', ...args] = START ?? [];
  const { PATH, PYTHONPATH } = process.env;
  child = spawn(program, [...args, ...command.map((word) => (word === '8000' ? String(port) : word))], {
    cwd: folder('task'),
    env: { PATH, PYTHONPATH, HOME: folder('task-home'), ...environment, ...task.env },
    stdio: 'ignore',
  });
};

describe.skipIf(START === undefined)('a task with the server of OpenHands', () => {
  let rig: FargateRig;
  let url: string;
  beforeAll(async () => {
    const port = await freePort();
    rig = new FargateRig(port, starting);
    rig.starts_after = 1;
    await rig.upkeep({ warm: 1, idle_seconds: 600, now: Date.now() });
    url = `http://127.0.3.1:${port}`;
    await vi.waitUntil(async () => (await stateOf(url)) !== null, { timeout: 100_000, interval: 200 });
  }, 120_000);
  afterAll(async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  it('sleeps, is reached at every address of its machine, and opens to nobody without its own key', async () => {
    expect(await stateOf(url)).toMatchObject({ asleep: true, idle: expect.any(Number) });
    const status = async (path: string) => (await fetch(url + path)).status;
    expect([await status('/ready'), await status('/server_info'), await status('/api/file/home')]).toEqual([
      200, 200, 503,
    ]);
    expect(await wake(url, { wake_key: 'another one', key: 'k' })).toBe('away');
    expect(await rig.upkeep({ warm: 1, idle_seconds: 0, now: Date.now() })).toEqual({
      stopped: 0,
      started: 0,
    });
  });

  it('is got by exactly one of those who reach for it, works for that one, and is stopped when nobody asks any more', async () => {
    rig.starts_after = 1_000_000;
    for (const task of rig.tasks) task.lastStatus = 'RUNNING';
    const house = rig.sandboxes({ wait_ms: 1 });
    const claims = await Promise.allSettled(IDS.map((id) => house.claim({ id, network: false })));
    const losers = claims.flatMap((claim) => (claim.status === 'rejected' ? [claim.reason] : []));
    const starting = { name: 'HcaUnavailable', retryable: true, message: expect.stringContaining('starting') };
    expect(losers).toEqual(IDS.slice(1).map(() => expect.objectContaining(starting)));
    const winner = IDS[claims.findIndex(({ status }) => status === 'fulfilled')] ?? '';
    const home = folder('house');
    const workspaces = new FilesWorkspaces(join(home, 'snapshots'));
    const root = layOut(folder('ws'), { 'a.txt': 'a' });
    const sandbox = new OpenHandsSandbox(house, workspaces);
    const { tree } = await workspaces.take(root);
    const opened = await sandbox.open({ id: winner, tree, workspace: root, network: false });
    expect(opened.confinement).toMatchObject({ kind: 'remote' });
    expect(opened.confinement.notes[0]).toContain('OpenHands Agent Server 1.44');
    const ran = await sandbox.run(winner, { command: 'cat a.txt; env', timeout_ms: 20_000, output_bytes: 10_000 });
    expect(ran.exit_code).toBe(0);
    for (const name of ['OH_SECRET_KEY', 'OH_DEFERRED_INIT']) expect(ran.stdout).not.toContain(name);
    const stolen = rig.tasks[0]?.env.OH_SECRET_KEY ?? '';
    expect(await wake(url, { wake_key: stolen, key: 'mine' })).toBe('taken');
    expect(await stateOf(url)).toMatchObject({ asleep: false });
    const now = Date.now();
    expect(await rig.upkeep({ warm: 0, idle_seconds: 600, now })).toMatchObject({ stopped: 0 });
    expect(await rig.upkeep({ warm: 0, idle_seconds: 0, now })).toMatchObject({ stopped: 1 });
    expect(rig.tasks[0]?.stoppedReason).toMatch(/^idle for \d+ s$/);
  });
});
