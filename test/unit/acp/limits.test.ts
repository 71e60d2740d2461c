// Limits of one person: how often, how many, how large; typed, with the field and what to do, and nothing of another's.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sizedFrame } from '#local/sized-frame.ts';
import { throttleOf } from '#local/throttle.ts';
import type { Principal } from '#shared/contracts/acp-host.ts';
import { Limits } from '#shared/contracts/limits.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { memoryWire, TestClient } from '#test/support/acp.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';

const BOB: Principal = { ...OWNER, subject: 'bob' };

let at: TestDoor;
let now = 0;
beforeEach(async () => {
  now = 0;
  at = await testDoor({ started: false });
});
afterEach(() => at.close());

const limited = (given: Partial<Limits>, principal = OWNER): TestClient => {
  const limits = Limits.parse(given);
  const door = { ...at.door, limits, throttle: throttleOf(limits, () => now) };
  at = { ...at, door };
  return new TestClient(memoryWire(at, principal));
};

const THROTTLED = (field: string) => ({ data: { code: 'HcaThrottled', field, retryable: true } });

it('frames: of ACP and of ours together, until some time has passed', async () => {
  const client = limited({ frames: 1, burst: 3 });
  await client.hello();
  await client.ask('session/list', {});
  expect((await client.ask('_hca/task/list', {})).error).toBeUndefined();
  const refused = await client.ask('session/list', {});
  expect(refused.error).toMatchObject({ code: -32_029, ...THROTTLED('frame') });
  expect(refused.error?.data.retry_after_ms).toBe(1000);
  const other = new TestClient(memoryWire(at, BOB));
  expect((await other.hello()).error).toBeUndefined();
  now = 1000;
  expect((await client.ask('_hca/task/list', {})).error).toBeUndefined();
  expect((await client.ask('_hca/task/list', {})).error).toMatchObject(THROTTLED('frame'));
});

it('a cancel is heard all the same', async () => {
  const client = limited({ frames: 1, burst: 3 });
  await client.hello();
  const sessionId = await client.newSession();
  await client.beginPrompt(sessionId, 'take the turn');
  await client.notify('session/cancel', { sessionId });
  const [turn] = await at.door.ports.sessions.unfinished('local', sessionId);
  expect(turn?.cancel).toBe('session');
});

it('goals: prompts and submissions together', async () => {
  const client = limited({ prompts: 2 });
  await client.hello();
  const sessionId = await client.newSession();
  await client.beginPrompt(sessionId, 'take the turn');
  const goal = { goal: 'take the turn', workspace: '/w' };
  expect((await client.ask('_hca/task/submit', goal)).error).toBeUndefined();
  expect((await client.ask('_hca/task/submit', goal)).error).toMatchObject(THROTTLED('prompt'));
  expect((await client.prompt(sessionId, 'and this')).error).toMatchObject(THROTTLED('prompt'));
  expect((await client.ask('_hca/task/list', {})).result.tasks.length).toBeGreaterThan(0);
});

it('sessions kept, until one is deleted', async () => {
  const client = limited({ sessions: 2 });
  await client.hello();
  const first = await client.newSession();
  await client.newSession();
  const third = await client.ask('session/new', { cwd: '/w', mcpServers: [] });
  expect(third.error).toMatchObject({ data: { code: 'HcaThrottled', field: 'sessions', retryable: false } });
  expect(third.error?.data.remedy).toContain('session/delete');
  await client.ask('session/delete', { sessionId: first });
  expect(await client.newSession()).toMatch(/^[0-9A-Z]{26}$/);
});

it('tasks open at once, also by a prompt; other people have their own', async () => {
  const client = limited({ tasks: 1 });
  await client.hello();
  const goal = { goal: 'take the turn', workspace: '/w' };
  const { task } = (await client.ask('_hca/task/submit', goal)).result;
  const FULL = { data: { code: 'HcaThrottled', field: 'open tasks', retryable: false } };
  expect((await client.ask('_hca/task/submit', goal)).error).toMatchObject(FULL);
  expect((await client.ask('_hca/task/submit', { ...goal, id: task })).result).toMatchObject({ created: false });
  const sessionId = await client.newSession();
  expect((await client.prompt(sessionId, 'take the turn')).error?.message).toContain('open tasks');
  const bob = new TestClient(memoryWire(at, BOB));
  expect((await bob.ask('_hca/task/submit', goal)).error).toBeUndefined();
  at.house.start();
  await at.house.idle();
  expect((await client.ask('_hca/task/submit', goal)).error).toBeUndefined();
});

it('tasks open at once, also by what goes on from another', async () => {
  const client = limited({ tasks: 1 });
  await client.hello();
  at.house.start();
  const sessionId = await client.newSession();
  await client.prompt(sessionId, 'take the turn');
  await at.house.idle();
  await at.house.ports.tasks.put({ ...(await openTask()), owner: OWNER.subject });
  expect((await client.prompt(sessionId, 'also take the turn')).error?.message).toContain('open tasks');
});

/** An open root task that nobody works on. */
const openTask = async (): Promise<TaskRecord> => {
  const [row] = await at.door.ports.tasks.roots(OWNER.tenant, { limit: 1 });
  const record = await at.door.ports.tasks.load(OWNER.tenant, row?.id ?? '');
  if (record?.kind !== 'task') throw new Error('there is no task');
  const id = at.door.ports.clock.ulid();
  return { ...record, id, root: id, state: 'submitted', version: 1 };
};

it('bytes of a frame, answered under its own id', () => {
  const door = { ...at.door, limits: Limits.parse({ bytes: 1024 }) };
  const frame = JSON.stringify({ jsonrpc: '2.0', id: 7, method: '_hca/ping', params: { x: 'ä'.repeat(600) } });
  expect(sizedFrame(frame, at.door)).toMatchObject({ kind: 'request' });
  expect(sizedFrame(frame, door)).toMatchObject({
    kind: 'invalid',
    answer: { id: 7, error: { data: { code: 'HcaTooLarge', field: 'frame' } } },
  });
});
