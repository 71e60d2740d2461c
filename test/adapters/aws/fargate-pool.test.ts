// The pool of sandbox tasks: filled up once, each taken by exactly one; and whatever became of a task, none is left running for nobody.

import { beforeEach, describe, expect, it } from 'vitest';
import { stopTasks } from '#scripts/cloud/stopping.ts';
import { FargateRig } from './fargate-rig.ts';
import { freePort } from './fargate-servers.ts';

let rig: FargateRig;
beforeEach(async () => {
  rig = new FargateRig(await freePort());
});

const session = { id: 'hca/s 1', network: false };
const works = async ({ url, key }: { url: string; key: string }) =>
  (await fetch(`${url}/api/file/home`, { headers: { 'X-Session-API-Key': key } })).status === 200;

describe('the pool', () => {
  const warm = async (count: number, minute = 1) => {
    const now = Date.now() + minute * 60_000;
    const done = await rig.upkeep({ warm: count, idle_seconds: 600, now });
    for (const task of rig.tasks) Object.assign(task, { lastStatus: 'RUNNING', looks: 5 });
    return done;
  };

  it('is filled up once, by however many rounds at once', async () => {
    const rounds = await Promise.all([warm(2), warm(2)]);
    expect(rounds.map(({ stopped }) => stopped)).toEqual([0, 0]);
    expect(rig.tasks).toHaveLength(2);
    expect(await warm(2, 2)).toEqual({ stopped: 0, started: 0 });
  });

  it('gives a warm task to exactly one of those who reach for it', async () => {
    await warm(1);
    const ids = ['a', 'b', 'c'];
    const servers = await Promise.all(ids.map((id) => rig.sandboxes().claim({ id, network: false })));
    expect(new Set(servers.map(({ url }) => url)).size).toBe(3);
    expect(await Promise.all(servers.map(works))).toEqual([true, true, true]);
    expect(rig.tasks).toHaveLength(3);
    for (const [at, id] of ids.entries()) expect(await rig.sandboxes().find(id)).toEqual(servers[at]);
  });

  it('a claim that dies between waking and tagging loses nothing: the next one finds the task woken with its key', async () => {
    await warm(1);
    rig.around = (call) =>
      call === 'TagResource' ? { status: 500, body: { __type: 'InternalFailure', message: 'no' } } : undefined;
    await expect(rig.sandboxes().claim(session)).rejects.toMatchObject({ name: 'HcaUnavailable', retryable: true });
    rig.around = () => undefined;
    expect(await works(await rig.sandboxes().claim(session))).toBe(true);
    expect(rig.tasks).toHaveLength(1);
  });

  it('has no task for a session whose policy opens the network', async () => {
    await warm(1);
    await rig.sandboxes().claim({ id: 's', network: true });
    expect(rig.tasks).toHaveLength(2);
  });

  it('stops what is idle, never what is warm or at work', async () => {
    const sandboxes = rig.sandboxes();
    await sandboxes.claim({ id: 'idle', network: false });
    await sandboxes.claim({ id: 'busy', network: false });
    await warm(1);
    const [idle, busy, spare] = rig.tasks;
    Object.assign(idle ?? {}, { idle: 700 });
    Object.assign(busy ?? {}, { idle: 5 });
    Object.assign(spare ?? {}, { idle: 9999 });
    expect(await warm(1, 2)).toEqual({ stopped: 1, started: 0 });
    expect(states()).toEqual(['STOPPED', 'RUNNING', 'RUNNING']);
    expect(idle?.stoppedReason).toBe('idle for 700 s');
  });

  it('stops a task that was woken by somebody who died, and is not taken for a warm one', async () => {
    await warm(1);
    Object.assign(rig.tasks[0] ?? {}, { key: 'of somebody who died', idle: 5 });
    expect(await warm(1, 2)).toEqual({ stopped: 0, started: 1 });
    Object.assign(rig.tasks[0] ?? {}, { idle: 700 });
    expect(await warm(1, 3)).toEqual({ stopped: 1, started: 0 });
    expect(states()).toEqual(['STOPPED', 'RUNNING']);
  });

  it('stops a task that does not answer for minutes, not one that missed a question', async () => {
    await rig.sandboxes().claim({ id: 'one', network: false });
    await rig.sandboxes().claim({ id: 'two', network: false });
    const [one, two] = rig.tasks;
    Object.assign(one ?? {}, { mute: true });
    Object.assign(two ?? {}, { mute: true });
    expect(await warm(0, 1)).toEqual({ stopped: 0, started: 0 });
    Object.assign(two ?? {}, { mute: false });
    expect(await warm(0, 3)).toEqual({ stopped: 0, started: 0 });
    Object.assign(two ?? {}, { mute: true });
    expect(await warm(0, 6)).toEqual({ stopped: 1, started: 0 });
    expect(states()).toEqual(['STOPPED', 'RUNNING']);
    expect(one?.stoppedReason).toBe('no answer for 300 s');
  });

  it('stops a task that does not become ready, of the pool or of a session', async () => {
    rig.starts_after = 1_000_000;
    const slow = rig.sandboxes({ wait_ms: 1 });
    await expect(slow.claim(session)).rejects.toMatchObject({ retryable: true });
    const at = (minutes: number) => ({ warm: 1, idle_seconds: 600, now: Date.now() + minutes * 60_000 });
    expect(await rig.upkeep(at(0))).toEqual({ stopped: 0, started: 1 });
    expect(await rig.upkeep(at(10))).toEqual({ stopped: 0, started: 0 });
    expect(await rig.upkeep(at(16))).toEqual({ stopped: 2, started: 1 });
    expect(states()).toEqual(['STOPPED', 'STOPPED', 'RUNNING']);
  });

  it('is emptied when it is to hold fewer, and renewed with a new definition', async () => {
    await warm(2);
    expect(await warm(1, 2)).toEqual({ stopped: 1, started: 0 });
    const definition = 'arn:aws:ecs:eu-west-1:1:task-definition/hca-test-sandbox:2';
    const now = Date.now() + 180_000;
    expect(await rig.upkeep({ warm: 1, idle_seconds: 600, now }, { definition })).toEqual({ stopped: 1, started: 1 });
    expect(rig.tasks.at(-1)).toMatchObject({ taskDefinitionArn: definition, desiredStatus: 'RUNNING' });
  });

  it('is stopped whole before its environment is taken away', async () => {
    await rig.sandboxes().claim(session);
    await warm(2);
    expect(await stopTasks(rig.client(), 'c')).toBe(3);
    expect(states()).toEqual(['STOPPED', 'STOPPED', 'STOPPED']);
    expect(await stopTasks(rig.client(), 'c')).toBe(0);
    rig.around = () => ({ status: 400, body: { __type: 'ClusterNotFoundException', message: 'no such cluster' } });
    expect(await stopTasks(rig.client(), 'gone')).toBe(0);
  });

  const states = () => rig.tasks.map(({ desiredStatus }) => desiredStatus);
});
