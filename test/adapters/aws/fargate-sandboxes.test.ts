// A task for each session: started once, found again, taken from the pool by exactly one, stopped when idle; nothing by chance or in memory.
import { beforeEach, describe, expect, it } from 'vitest';
import { sandboxServers } from '#shared/adapters/aws/sandbox-servers.ts';
import { FargateRig, freePort, SECRET } from './fargate-rig.ts';

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
    expect(server).toMatchObject({ network: false });
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

  it('is in the network that its policy chose', async () => {
    expect(await rig.sandboxes().claim(session)).toMatchObject({ network: false });
    expect(await rig.sandboxes().claim({ id: 's2', network: true })).toMatchObject({ network: true });
    expect(rig.tasks.map(({ groups }) => groups)).toEqual([['g-closed'], ['g-open']]);
    const closed = rig.sandboxes({ group_open: undefined });
    expect(await closed.claim({ id: 's3', network: true })).toMatchObject({ network: false });
    expect(rig.tasks[2]?.groups).toEqual(['g-closed']);
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

  it('that has ended stops its task; the next claim of it starts another one', async () => {
    const sandboxes = rig.sandboxes();
    await sandboxes.claim(session);
    await sandboxes.release(session.id);
    await sandboxes.release(session.id);
    await sandboxes.release('never');
    expect(rig.tasks.map(({ lastStatus }) => lastStatus)).toEqual(['STOPPED']);
    expect(await sandboxes.find(session.id)).toBeNull();
    expect(await works(await sandboxes.claim(session))).toBe(true);
    expect(rig.tasks).toHaveLength(2);
  });

  it('whose tasks end as soon as they start is a fault that nobody tries again', async () => {
    const sandboxes = rig.sandboxes();
    for (let nth = 0; nth < 3; nth += 1) {
      await sandboxes.claim(session);
      await sandboxes.release(session.id);
    }
    await expect(sandboxes.claim(session)).rejects.toMatchObject({ name: 'HcaUnavailable', retryable: false });
  });
});

describe('the pool', () => {
  const warm = async (count: number, minute = 1) => {
    const done = await rig.sandboxes().upkeep({ warm: count, idle_seconds: 600, minute });
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
    expect(rig.tasks.map(({ desiredStatus }) => desiredStatus)).toEqual(['STOPPED', 'RUNNING', 'RUNNING']);
    expect(idle?.stoppedReason).toBe('idle for 700 s');
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
    expect(servers).not.toHaveProperty('upkeep');
  });

  it('else tasks, with every variable named that is missing', async () => {
    expect(await sandboxServers(variables, house)).toHaveProperty('upkeep');
    for (const name of Object.keys(variables))
      await expect(sandboxServers({ ...variables, [name]: '' }, house)).rejects.toMatchObject({ field: name });
  });
});
