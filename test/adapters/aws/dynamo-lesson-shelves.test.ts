// The index of lessons in the cloud: begun with a snapshot in the bucket, put forward by the tail before every question (L3-KBS-01, L3-KBS-02).
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { s3LessonSnapshots } from '#shared/adapters/aws/s3-lesson-snapshots.ts';
import { s3Objects } from '#shared/adapters/aws/s3-objects.ts';
import { emptyShelf } from '#shared/domain/knowledge/shelf.ts';
import type { Lessons } from '#shared/ports/world.ts';
import { lesson, TENANT } from '../suites/samples.ts';
import { found, type LessonsRig, openLessons } from './lessons-rig.ts';

let house: LessonsRig;
beforeEach(async () => {
  house = await openLessons();
});
afterEach(() => house.close());

describe('the shelf', () => {
  const fill = async (from: number, to: number) => {
    for (let n = from; n < to; n += 1)
      await house.lessons.put(TENANT, lesson(`l${n}`, { situation: `trouble number w${n}` }));
  };
  const find = (lessons: Lessons) => found(lessons, 'w19 w7');

  test('finds at once what another process stored', async () => {
    const other = house.again();
    expect(await found(other)).toEqual([]);
    await house.lessons.put(TENANT, lesson('l1'));
    expect(await found(other)).toEqual(['l1@1']);
    await house.lessons.put(TENANT, lesson('l1', { version: 2, trust: 'retired' }));
    expect(await found(other)).toEqual([]);
  });

  test('comes from a snapshot and the tail, and from the record when no snapshot can be read', async () => {
    await fill(0, 20);
    const snapshots = () => [...house.s3.kept.keys()].filter((key) => house.s3.kept.get(key)?.at(-1) !== undefined);
    expect(snapshots()).toEqual([`_lessons/${TENANT}/snapshot-0000000020`]);
    await house.lessons.put(TENANT, lesson('l7', { version: 2, trust: 'retired' }));
    house.rig.sent.length = 0;
    expect(await find(house.again())).toEqual(['l19@1']);
    expect(house.rig.sent, 'the tail, what it names, and the hit').toEqual(['Query', 'BatchGet', 'BatchGet']);
    const [key = ''] = snapshots();
    const [whole] = house.s3.kept.get(key) ?? [];
    house.s3.kept.set(key, [{ ...whole!, body: whole!.body.subarray(0, 500) }]);
    expect(await find(house.again())).toEqual(['l19@1']);
    expect(await find(house.again())).toEqual(['l19@1']);
  }, 60_000);

  test('a writer that was overtaken does not bring an old version back', async () => {
    const [slow, quick, asks] = [house.again(), house.again(), house.again()];
    let puts = 0;
    house.rig.around = async (command, send) => {
      puts += command === 'Put' ? 1 : 0;
      if (puts !== 2) return send();
      puts = 100;
      await quick.put(TENANT, lesson('l1', { version: 2, advice: 'better' }));
      expect(await found(asks)).toEqual(['l1@2']);
      return send();
    };
    await slow.put(TENANT, lesson('l1'));
    expect(await found(asks)).toEqual(['l1@2']);
    expect((await asks.list(TENANT, { limit: 9 })).map(({ version }) => version)).toEqual([2]);
  });

  test('of many questions at once each has the answer of its own time', async () => {
    const other = house.again();
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        await house.lessons.put(TENANT, lesson(`l${n}`));
        return found(other);
      }),
    );
    for (const [n, answer] of answers.entries()) expect(answer).toContain(`l${n}@1`);
  });

  test('a table that answers with a fault leaves the shelf as it was', async () => {
    const other = house.again();
    await fill(0, 3);
    house.rig.around = async (command, send) => {
      if (command === 'BatchGet') throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
      return send();
    };
    await expect(found(other, 'trouble')).rejects.toMatchObject({ code: 'HcaThrottled', retryable: true });
    house.rig.around = (_command, send) => send();
    expect((await found(other, 'trouble')).toSorted()).toEqual(['l0@1', 'l1@1', 'l2@1']);
  });

  test('keeps the two newest snapshots: whoever begins at this moment finds the one that it saw', async () => {
    const snapshots = s3LessonSnapshots(s3Objects(house.s3));
    for (const seq of [200, 1000, 30_000]) await snapshots.keep(TENANT, { shelf: emptyShelf(), seq });
    await snapshots.keep('another', { shelf: emptyShelf(), seq: 5 });
    const there = [...house.s3.kept.keys()].filter((key) => house.s3.kept.get(key)?.at(-1) !== undefined);
    expect(there).toEqual(
      ['local/snapshot-0000001000', 'local/snapshot-0000030000', 'another/snapshot-0000000005'].map(
        (key) => `_lessons/${key}`,
      ),
    );
    expect((await snapshots.newest(TENANT))?.seq).toBe(30_000);
    expect(await snapshots.newest('nobody')).toBeUndefined();
  });
});
