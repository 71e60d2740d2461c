// Lessons in DynamoDB: the suite of the port, many writers at once, crashes between any two writes (L3-LES, L3-KBS).
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changeLesson, keepLesson } from '#functions/loop/lessons.ts';
import { dynamoHolons } from '#shared/adapters/aws/dynamo-holons.ts';
import { systemClock } from '#shared/adapters/local/system-clock.ts';
import { credited } from '#shared/domain/knowledge/upkeep.ts';
import type { Lessons } from '#shared/ports/world.ts';
import { registersSuite } from '../suites/registers.ts';
import { lesson, rootId, TENANT } from '../suites/samples.ts';
import { found, type LessonsRig, openLessons } from './lessons-rig.ts';

registersSuite('DynamoDB and a bucket', async () => {
  const house = await openLessons();
  return { ...house, holons: dynamoHolons(house.rig.table('holons')) };
});

let house: LessonsRig;
beforeEach(async () => {
  house = await openLessons();
});
afterEach(() => house.close());

const caused = (id: string, version: number, cause: string) =>
  lesson(id, { version, advice: `${cause} ${version}`, change: { cause, why: '', at: version } });

/** Lets `writes` writes through, then the process is dead: nothing it sends arrives. */
const diesAfter = (writes: number) => {
  let left = writes;
  house.rig.around = async (command, send) => {
    if (!/^(Put|Update|Delete)/.test(command)) return send();
    left -= 1;
    if (left < 0) throw new Error('the process has died');
    return send();
  };
};
const livesOn = () => {
  house.rig.around = (_command, send) => send();
};

describe('sixteen writers at once', () => {
  /** Each on a connection and a shelf of its own, all begun before any has ended. */
  const atOnce = async <T>(work: (n: number, lessons: Lessons) => Promise<T>): Promise<T[]> => {
    let running = 0;
    let most = 0;
    const all = Array.from({ length: 16 }, async (_, n) => {
      running += 1;
      most = Math.max(most, running);
      const result = await work(n, house.again());
      running -= 1;
      return result;
    });
    const results = await Promise.all(all);
    expect(most).toBe(16);
    return results;
  };

  test('lose nothing, and make each group once', async () => {
    const kept = await atOnce((n, lessons) => {
      const signature = { family: 'lint', tools: ['biome'], failures: [`lint:${n % 4}`], checks: ['lint'] };
      const one = lesson(`lesson-${rootId(n)}`, {
        task_id: rootId(n),
        signature,
        change: { cause: `task:${n}`, why: '', at: 1 },
      });
      return keepLesson(TENANT, { status: 'taken', lesson: one, reason: 'x' }, { lessons });
    });
    const stored = await house.lessons.list(TENANT, { limit: 100 });
    expect(stored.map(({ id }) => id)).toEqual(kept.map(({ id }) => id).toSorted());
    const heads = stored.filter(({ group }) => group === null).map(({ id }) => id);
    expect(heads).toHaveLength(4);
    for (const { group } of stored) if (group !== null) expect(heads).toContain(group);
    expect(await found(house.lessons)).toHaveLength(4);
  }, 60_000);

  test('credit one lesson without losing a count; who asks next finds the last version', async () => {
    await house.lessons.put(TENANT, caused('shared', 1, 'first'));
    await atOnce((n, lessons) =>
      changeLesson(
        { tenant: TENANT, id: 'shared' },
        (now) => credited(now, { outcome: 'helped' }, { cause: `used:${n}`, at: 1 }),
        { lessons },
      ),
    );
    const versions = await house.lessons.versions(TENANT, 'shared');
    expect(versions.at(-1)?.outcomes).toEqual({ used: 16, helped: 16, hurt: 0 });
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 17 }, (_, n) => n + 1));
    expect(await found(house.lessons)).toEqual(['shared@17']);
  }, 60_000);
});

describe('a process that dies', () => {
  test.each([0, 1, 2, 3])(
    'after %d writes of a lesson: said again, it is stored once, listed and found',
    async (writes) => {
      diesAfter(writes);
      await expect(house.lessons.put(TENANT, caused('l1', 1, 'task'))).rejects.toThrow('died');
      livesOn();
      const next = house.again();
      expect(await next.put(TENANT, caused('l1', 1, 'task'))).toBe(writes < 2 ? 'stored' : 'there');
      expect(await next.put(TENANT, caused('l1', 2, 'task'))).toBe('there');
      expect(await next.versions(TENANT, 'l1')).toHaveLength(1);
      expect(await next.list(TENANT, { limit: 9 })).toHaveLength(1);
      expect(await found(next)).toEqual(['l1@1']);
    },
  );

  test('between the versions of others: its event still counts once, under whichever version it gets', async () => {
    await house.lessons.put(TENANT, caused('l1', 1, 'first'));
    diesAfter(1);
    await expect(house.lessons.put(TENANT, caused('l1', 2, 'mine'))).rejects.toThrow('died');
    livesOn();
    expect(await house.lessons.put(TENANT, caused('l1', 2, 'theirs'))).toBe('stored');
    expect(await house.lessons.put(TENANT, caused('l1', 2, 'mine'))).toBe('conflict');
    expect(await house.lessons.put(TENANT, caused('l1', 3, 'mine'))).toBe('stored');
    expect(await house.lessons.put(TENANT, caused('l1', 4, 'mine'))).toBe('there');
    expect((await house.lessons.versions(TENANT, 'l1')).map(({ advice }) => advice)).toEqual([
      'first 1',
      'theirs 2',
      'mine 3',
    ]);
  });

  test.each([1, 2, 3])(
    'after %d writes of a claim: none of its keys counts, and they can be claimed',
    async (writes) => {
      const keys = ['a', 'b', 'c'];
      const free = [null, null, null];
      const time = { now: 1_000_000 };
      const clock = { ...systemClock(), now: () => time.now };
      diesAfter(writes);
      await expect(house.again(clock).claim(TENANT, keys, { value: 'dead', found: free })).rejects.toThrow('died');
      livesOn();
      const next = house.again(clock);
      expect(await next.found(TENANT, keys)).toEqual(free);
      expect(await next.claim(TENANT, keys, { value: 'next', found: free }), 'it may be alive').toBe(false);
      time.now += 60_000;
      expect(await next.claim(TENANT, keys, { value: 'next', found: free })).toBe(true);
      expect(await next.found(TENANT, keys)).toEqual(['next', 'next', 'next']);
    },
  );
});

test('a claim that was taken for dead and is not comes to nothing', async () => {
  const time = { now: 1_000_000 };
  const clock = { ...systemClock(), now: () => time.now };
  const slow = house.again(clock);
  let puts = 0;
  house.rig.around = async (command, send) => {
    puts += command === 'Put' ? 1 : 0;
    if (puts !== 2) return send();
    time.now += 60_000;
    puts = 100;
    expect(await house.again(clock).claim(TENANT, ['a', 'b'], { value: 'quick', found: [null, null] })).toBe(true);
    return send();
  };
  expect(await slow.claim(TENANT, ['a', 'b'], { value: 'slow', found: [null, null] })).toBe(false);
  expect(await slow.found(TENANT, ['a', 'b'])).toEqual(['quick', 'quick']);
});
