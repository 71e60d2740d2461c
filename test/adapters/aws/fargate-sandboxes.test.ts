// A task for each session: started once, found again, taken from the pool by exactly one, stopped when idle; nothing by chance or in memory.
import { beforeEach, describe, expect, it } from 'vitest';
import { sandboxServers } from '#shared/adapters/aws/sandbox-servers.ts';
import { end, FargateRig, SECRET } from './fargate-rig.ts';
import { freePort } from './fargate-servers.ts';

let rig: FargateRig;
beforeEach(async () => {
  rig = new FargateRig(await freePort());
});

const session = { id: 'hca/s 1', network: false };
const calls = (name: string) => rig.sent.filter(({ call }) => call === name);
const works = async ({ url, key }: { url: string; key: string }) =>
  (await fetch(`${url}/api/file/home`, { headers: { 'X-Session-API-Key': key } })).status === 200;

describe('a session', () => {
  it('gets a task of its own with a key of its own, tagged for the bill; the same again is the same, also from another process', async () => {
    const server = await rig.sandboxes().claim(session);
    expect(await works(server)).toBe(true);
    expect(server.key).not.toContain(SECRET);
    expect(await rig.sandboxes().claim(session)).toEqual(server);
    expect(await rig.sandboxes().find(session.id)).toEqual(server);
    expect(rig.tasks).toHaveLength(1);
    expect(rig.tasks[0]?.tags).toContainEqual({ key: 'hca:environment', value: 'test' });
    const other = await rig.sandboxes().claim({ id: 'other', network: false });
    expect(other.url).not.toBe(server.url);
    expect(await works({ ...server, key: other.key })).toBe(false);
    expect((await rig.sandboxes().all()).map(({ url }) => url).sort()).toEqual([server.url, other.url].sort());
  });

  it('two that claim it at once start one task', async () => {
    const [one, two] = await Promise.all([rig.sandboxes().claim(session), rig.sandboxes().claim(session)]);
    expect(one).toEqual(two);
    expect(rig.tasks).toHaveLength(1);
  });

  it('is in the network that its policy chose, and never said to be without one: HTTPS is open to every task', async () => {
    expect(await rig.sandboxes().claim(session)).toMatchObject({ network: true });
    expect(await rig.sandboxes().claim({ id: 's2', network: true })).toMatchObject({ network: true });
    expect(rig.tasks.map(({ groups }) => groups)).toEqual([['g-closed'], ['g-open']]);
    await rig.sandboxes({ group_open: undefined }).claim({ id: 's3', network: true });
    expect(rig.tasks[2]?.groups).toEqual(['g-closed']);
  });

  it('has nothing in its environment but what its own server is woken with: neither the secret nor the key of any session', async () => {
    const one = await rig.sandboxes().claim(session);
    const two = await rig.sandboxes().claim({ id: 'other', network: false });
    const [first, second] = rig.tasks.map(({ env }) => env);
    expect(Object.keys(first ?? {})).toEqual(['OH_SECRET_KEY']);
    expect(first?.OH_SECRET_KEY).not.toBe(second?.OH_SECRET_KEY);
    const told = JSON.stringify(rig.sent);
    for (const secret of [SECRET, one.key, two.key]) expect(told).not.toContain(secret);
    const body = JSON.stringify({ session_api_keys: ['a key of mine'] });
    const stolen = { 'content-type': 'application/json', 'X-Init-API-Key': first?.OH_SECRET_KEY ?? '' };
    expect((await fetch(`${one.url}/api/init`, { method: 'POST', headers: stolen, body })).status).toBe(401);
  });

  it('whose task takes long is a fault that is tried again, and then finds the same task', async () => {
    rig.starts_after = 1_000_000;
    await expect(rig.sandboxes({ wait_ms: 20 }).claim(session)).rejects.toMatchObject({
      name: 'HcaUnavailable',
      retryable: true,
    });
    rig.starts_after = 1;
    expect(await works(await rig.sandboxes().claim(session))).toBe(true);
    expect(rig.tasks).toHaveLength(1);
  });

  it('that has ended is not there any more; one that is opened again at once has the same task, later another one', async () => {
    const sandboxes = rig.sandboxes();
    const first = await sandboxes.claim(session);
    await sandboxes.release(session.id);
    await sandboxes.release(session.id);
    await sandboxes.release('never');
    expect(await sandboxes.find(session.id)).toBeNull();
    expect(await sandboxes.all()).toEqual([]);
    expect(await sandboxes.claim(session)).toEqual(first);
    await stopsReleased(0);
    await sandboxes.release(session.id);
    await stopsReleased(1);
    expect(rig.tasks.map(({ stoppedReason }) => stoppedReason)).toEqual(['its session has ended, idle for 130 s']);
    expect(await works(await sandboxes.claim(session))).toBe(true);
    expect(rig.tasks).toHaveLength(2);
  });

  const stopsReleased = async (stopped: number) => {
    for (const task of rig.tasks) task.idle = 130;
    expect(await rig.upkeep({ warm: 0, idle_seconds: 600, now: Date.now() })).toEqual({ stopped, started: 0 });
  };

  it('gets another task however often it was idle, also after ECS has forgotten the ones before', async () => {
    const sandboxes = rig.sandboxes();
    for (let nth = 0; nth < 6; nth += 1) {
      await sandboxes.claim(session);
      for (const task of rig.tasks) end(task, 'idle', 'UserInitiated');
    }
    for (const task of rig.tasks) task.createdAt -= 7200;
    rig.forgets = true;
    expect(await works(await sandboxes.claim(session))).toBe(true);
    expect(rig.tasks).toHaveLength(7);
  });

  it('whose tasks end as soon as they start is a fault that nobody tries again, and says why they end', async () => {
    const sandboxes = rig.sandboxes();
    for (let nth = 0; nth < 3; nth += 1) {
      await sandboxes.claim(session);
      for (const task of rig.tasks) end(task, 'CannotPullContainerError', 'TaskFailedToStart');
    }
    await expect(sandboxes.claim(session)).rejects.toMatchObject({
      name: 'HcaUnavailable',
      retryable: false,
      message: expect.stringContaining('CannotPullContainerError'),
    });
  });

  it('whose task dies has another one the next time', async () => {
    const sandboxes = rig.sandboxes();
    const first = await sandboxes.claim(session);
    for (const task of rig.tasks) end(task, 'Essential container exited', 'EssentialContainerExited');
    expect(await sandboxes.find(session.id)).toBeNull();
    const second = await sandboxes.claim(session);
    expect(second.url).not.toBe(first.url);
    expect(await works(second)).toBe(true);
  });
});

describe('what ECS refuses', () => {
  it.each([
    [400, { __type: 'ThrottlingException', message: 'slow down' }, 'HcaThrottled', true],
    [500, { __type: 'ServerException', message: 'oops' }, 'HcaUnavailable', true],
    [400, { __type: 'AccessDeniedException', message: 'no' }, 'HcaInternal', false],
  ])('%i %o is a fault', async (...[status, body, name, retryable]) => {
    rig.around = () => ({ status, body });
    await expect(rig.sandboxes().claim(session)).rejects.toMatchObject({ name, retryable });
  });

  it('no room is a fault that is tried again and says why', async () => {
    rig.around = (call) =>
      call === 'RunTask' ? { status: 200, body: { tasks: [], failures: [{ reason: 'RESOURCE:CPU' }] } } : undefined;
    await expect(rig.sandboxes().claim(session)).rejects.toMatchObject({
      name: 'HcaUnavailable',
      retryable: true,
      message: expect.stringContaining('RESOURCE:CPU'),
    });
    expect(calls('RunTask')).toHaveLength(1);
  });
});

describe('the place that the variables name', () => {
  const variables = {
    HCA_SANDBOX_SECRET: 'key',
    HCA_SANDBOX_CLUSTER: 'c',
    HCA_SANDBOX_TASK: 'd',
    HCA_SANDBOX_SUBNETS: 's-1,s-2',
    HCA_SANDBOX_GROUP: 'g',
  };
  const house = { secret: async (name: string) => `the ${name}`, client: { region: 'eu-west-1' } };

  it('is the server whose address is given, whatever else is there', async () => {
    const servers = await sandboxServers({ ...variables, HCA_SANDBOX: 'http://10.0.0.1:8000' }, house);
    const server = { url: 'http://10.0.0.1:8000', key: 'the key' };
    expect(await servers.claim(session)).toEqual(server);
    expect(await servers.find(session.id)).toEqual(server);
    expect(await servers.all()).toEqual([server]);
  });

  it('else tasks, with every variable named that is missing', async () => {
    expect(await sandboxServers(variables, house)).toHaveProperty('claim');
    for (const name of Object.keys(variables))
      await expect(sandboxServers({ ...variables, [name]: '' }, house)).rejects.toMatchObject({ field: name });
  });
});
