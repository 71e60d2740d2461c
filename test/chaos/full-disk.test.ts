// A disk that is full for a while: nothing is lost, and a task goes on by itself in the same host, not only in the next one.
import { describe, expect, it, vi } from 'vitest';
import { createRuntime, type Runtime } from '#local/runtime.ts';
import { noOpHolarchy, noOpOutside } from '#test/support/no-op-house.ts';
import { submit, TENANT } from '#test/support/submit.ts';

const openHouse = async (): Promise<Runtime> => {
  const house = createRuntime({
    folder: ':memory:',
    bus: { random: () => 0 },
    resume_ms: 20,
    outside: () => noOpOutside(() => 'done'),
  });
  await house.storage.holons.load(TENANT, noOpHolarchy);
  return house;
};

const stateOf = async ({ ports }: Runtime, id: string): Promise<string | undefined> =>
  (await ports.tasks.load(TENANT, id))?.state;

const PATIENCE = { timeout: 60_000, interval: 20 };

describe("a disk on which a machine's journal cannot be written", () => {
  it.each(['asl_visits', 'asl_attempts'])('%s: the task goes on in the same host once there is room', async (table) => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const house = await openHouse();
    const db = house.storage.db.native;
    try {
      const refuse = `SELECT RAISE(ABORT, 'database or disk is full')`;
      db.exec(`CREATE TEMP TRIGGER full_disk BEFORE INSERT ON ${table} BEGIN ${refuse}; END`);
      const id = await submit(house, { goal: 'take the turn' });
      house.start();
      await vi.waitFor(() => expect(said.mock.calls.join('')).toContain('disk is full'), PATIENCE);
      db.exec('DROP TRIGGER full_disk');
      await vi.waitFor(async () => expect(await stateOf(house, id)).toBe('completed'), PATIENCE);
    } finally {
      await house.close();
      said.mockRestore();
    }
  });
});
