// What the port `tasks` means, for every adapter (architecture sections 2 and 8; pitfalls 22, 36 and 37).
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AnyRecord } from '#shared/contracts/task.ts';
import type { Tasks } from '#shared/ports/tasks.ts';
import type { Opened } from './opened.ts';
import { delegation, review, rootId, TENANT, task } from './samples.ts';

/** Runs the suite; `open` gives a fresh, empty store. */
export const tasksSuite = (name: string, open: () => Promise<Opened<'tasks'>>): void => {
  describe(`tasks: ${name}`, () => {
    let house: Opened<'tasks'>;
    let tasks: Tasks;
    beforeEach(async () => {
      house = await open();
      tasks = house.tasks;
    });
    afterEach(() => house.close());

    test('gives back every kind of record exactly as it was saved', async () => {
      const root = rootId(1);
      const records = [task(root), delegation(`${root}_10`), review(`${root}-r1-1`)];
      for (const record of records) await tasks.save(record, 0);
      for (const record of records) {
        const back = await tasks.load(TENANT, record.id);
        expect(back).toEqual(record);
        expect(AnyRecord.parse(back)).toEqual(record);
      }
      expect(await tasks.load(TENANT, rootId(2))).toBeUndefined();
      expect(await tasks.load('another', root)).toBeUndefined();
    });

    test('saves only on the version that was read, and a lost race changes nothing', async () => {
      const id = rootId(1);
      await tasks.save(task(id, { version: 1 }), 0);
      await tasks.save(task(id, { version: 2, state: 'working' }), 1);
      const late = task(id, { version: 2, state: 'escalating' });
      await expect(tasks.save(late, 1)).rejects.toMatchObject({ code: 'HcaConflict', retryable: true });
      await expect(tasks.save(late, 0)).rejects.toMatchObject({ code: 'HcaConflict' });
      await expect(tasks.save(task(rootId(9), { version: 3 }), 2)).rejects.toMatchObject({ code: 'HcaConflict' });
      expect(await tasks.load(TENANT, id)).toMatchObject({ version: 2, state: 'working' });
    });

    test('of many that save on one version exactly one wins', async () => {
      const id = rootId(1);
      await tasks.save(task(id, { version: 1 }), 0);
      const races = Array.from({ length: 20 }, (_, n) => tasks.save(task(id, { version: 2, iteration: n }), 1));
      const ends = await Promise.allSettled(races);
      expect(ends.filter((end) => end.status === 'fulfilled')).toHaveLength(1);
      expect(await tasks.load(TENANT, id)).toMatchObject({
        iteration: ends.findIndex((end) => end.status === 'fulfilled'),
      });
    });

    test('put creates once; what its parent put at version 0 is saved on version 0', async () => {
      const id = rootId(1);
      expect(await tasks.put(task(id, { version: 0 }))).toBe(true);
      expect(await tasks.put(task(id, { version: 0, iteration: 7 }))).toBe(false);
      expect(await tasks.load(TENANT, id)).toMatchObject({ version: 0, iteration: 1 });
      await tasks.save(task(id, { version: 1, iteration: 8 }), 0);
      expect(await tasks.load(TENANT, id)).toMatchObject({ version: 1, iteration: 8 });
    });

    test('lists what is below a root, oldest first, and nothing else', async () => {
      const root = rootId(5);
      const ids = [root, `${root}_z0`, `${root}_a0`, `${root}-r1-1`];
      await tasks.save(task(root), 0);
      await tasks.put(delegation(`${root}_z0`));
      await tasks.put(delegation(`${root}_a0`));
      await tasks.put(review(`${root}-r1-1`));
      await tasks.save(task(rootId(6)), 0);
      await tasks.put(task(root, { tenant: 'another' }));
      await tasks.save(task(root, { version: 2 }), 1);
      expect((await tasks.below(TENANT, root)).map((record) => record.id)).toEqual(ids);
    });

    test('counts the open tasks and reviews of a holon', async () => {
      const root = rootId(1);
      await tasks.save(task(root), 0);
      await tasks.put(task(`${root}_10_1`));
      await tasks.put(review(`${root}-r1-1`));
      await tasks.put(delegation(`${root}_10`));
      await tasks.put(task(rootId(2), { holon: 'docs' }));
      expect(await tasks.openOf(TENANT, 'code')).toBe(3);
      await tasks.save(task(root, { version: 2, state: 'completed', ended_at: 5 }), 1);
      await tasks.save(review(`${root}-r1-1`, { version: 2, state: 'told' }), 1);
      expect(await tasks.openOf(TENANT, 'code')).toBe(1);
      expect(await tasks.openOf('another', 'code')).toBe(0);
    });

    test('pages through root tasks, newest first, all or open ones', async () => {
      for (let n = 0; n < 25; n += 1) await tasks.save(task(rootId(n)), 0);
      await tasks.put(task(`${rootId(3)}_10_1`));
      for (const n of [4, 20]) await tasks.save(task(rootId(n), { version: 2, state: 'completed', ended_at: 9 }), 1);
      const seen = await allRoots(tasks, 10);
      expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => rootId(24 - n)));
      const open = await tasks.roots(TENANT, { limit: 100, open: true });
      expect(open.map((row) => row.id)).toEqual(seen.filter((id) => id !== rootId(4) && id !== rootId(20)));
      const [first] = await tasks.roots(TENANT, { limit: 1, before: rootId(5) });
      const goal = 'make the linter pass';
      expect(first).toEqual({
        id: rootId(4),
        goal,
        state: 'completed',
        holon: 'code',
        opened_at: task(rootId(4)).opened_at,
        ended_at: 9,
      });
    });

    test('pages through the root tasks of one owner; one without belongs to the owner of the home', async () => {
      const owners = ['ann', 'bob', 'ann', null, 'ann', 'bob'];
      for (const [n, owner] of owners.entries()) await tasks.save(task(rootId(n), { owner }), 0);
      await tasks.put(task(rootId(9), { owner: 'ann', tenant: 'another' }));
      await tasks.save(task(rootId(2), { owner: 'ann', version: 2, state: 'completed', ended_at: 9 }), 1);
      const of = async (owner: string, page: object = {}) =>
        (await tasks.roots(TENANT, { limit: 10, owner, ...page })).map(({ id }) => id);
      expect(await of('ann')).toEqual([4, 2, 0].map(rootId));
      expect(await of('ann', { limit: 1, before: rootId(4) })).toEqual([rootId(2)]);
      expect(await of('ann', { open: true })).toEqual([4, 0].map(rootId));
      expect(await of('owner')).toEqual([rootId(3)]);
      expect(await of('nobody')).toEqual([]);
    });

    test('refuses a record over 100 KB by name, and keeps what was there', async () => {
      const id = rootId(1);
      await tasks.save(task(id), 0);
      const large = task(id, { version: 2 });
      const goal = 'é'.repeat(16_000);
      large.redo = Array.from({ length: 5 }, (_, slot) => ({ ...delegation(`${id}_1${slot}`).plan, slot, goal }));
      await expect(tasks.save(large, 1)).rejects.toMatchObject({ code: 'HcaTooLarge', retryable: false });
      await expect(tasks.save(large, 1)).rejects.toThrow(id);
      expect(await tasks.load(TENANT, id)).toMatchObject({ version: 1 });
    });
  });
};

async function allRoots(tasks: Tasks, limit: number): Promise<string[]> {
  const seen: string[] = [];
  for (let page = await tasks.roots(TENANT, { limit }); page.length > 0; ) {
    seen.push(...page.map((row) => row.id));
    page = await tasks.roots(TENANT, { limit, before: seen.at(-1) ?? '' });
  }
  return seen;
}
