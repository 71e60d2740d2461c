// What a task spends is shown while it runs, from the ledgers, and never goes down (L1-DEL-03; protocols 5.1).
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pump } from '#functions/acp/step.ts';
import { memoryWire, TestClient } from '#test/support/acp.ts';
import { type TestDoor, testDoor } from '#test/support/door.ts';

let at: TestDoor;
beforeEach(async () => {
  at = await testDoor();
});
afterEach(() => at.close());

/** What a client is shown whose connection is pumped at every entry, on a clock by which `step` ms pass from entry to entry. */
const watched = async (step: number) => {
  const { ports } = at.door;
  let now = ports.clock.now();
  const clock = { ...ports.clock, now: () => now };
  const wire = memoryWire({ ...at, door: { ...at.door, ports: { ...ports, clock } } });
  const client = new TestClient(wire);
  await client.hello();
  const sessionId = await client.newSession();
  const unfollow = at.house.follow(() => {
    now += step;
    void pump(wire.peer());
  });
  await client.prompt(sessionId, 'take the turn and take the left');
  unfollow();
  return client.updates();
};

test('usage grows during the task, and the last one is the result’s', async () => {
  const updates = await watched(250);
  const usage = updates.filter(({ sessionUpdate }) => sessionUpdate === 'usage_update');
  const calls = usage.map(({ _meta }) => Number(_meta.hca.spent.calls));
  expect(new Set(calls).size).toBeGreaterThan(2);
  expect(calls).toEqual(calls.toSorted((a, b) => a - b));
  const said = updates.findIndex(({ messageId }) => String(messageId).endsWith(':result'));
  const before = updates.slice(0, said).findIndex(({ sessionUpdate }) => sessionUpdate === 'usage_update');
  expect(said - before).toBeGreaterThan(2);
});

test('and not with every entry: once a second is enough for a person', async () => {
  const usage = (await watched(0)).filter(({ sessionUpdate }) => sessionUpdate === 'usage_update');
  expect(usage.length).toBeLessThanOrEqual(2);
});
