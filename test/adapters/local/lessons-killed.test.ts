// kill -9 while lessons are looked after and while a snapshot of the index is written: what was acknowledged is there in its version, groups are
// formed once, and nothing is half (L3-KBS-01; pitfall 15).
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type LocalPorts, localPorts } from '#shared/adapters/local/ports.ts';
import { lesson, TENANT } from '../suites/samples.ts';
import { newHome } from './home.ts';
import { NOW, upkeep } from './upkeep-work.ts';

const MORTAL = fileURLToPath(new URL('mortal-lessons.ts', import.meta.url));
/** Every seventh moment: before and after writes in turn. HCA_EVERY=1 is each of them. */
const EVERY = Number(process.env.HCA_EVERY ?? 7);

/** Lets a process work in a home; how it ended. */
const live = async (folder: string, kind: 'upkeep' | 'snapshot', moment: number): Promise<number | string | null> => {
  const one = fork(MORTAL, [folder, kind, String(moment)], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const [code, signal] = await once(one, 'exit');
  return signal ?? code;
};

const inHome = async <T>(folder: string, work: (house: LocalPorts) => Promise<T>): Promise<T> => {
  const house = localPorts({ folder, clock: { now: () => NOW, ulid: () => '' } });
  try {
    return await work(house);
  } finally {
    await house.close();
  }
};

/** Every version of every lesson. */
const allVersions = async ({ lessons, db }: LocalPorts) => {
  expect(db.check()).toEqual([]);
  const newest = await lessons.list(TENANT, { limit: 1000 });
  return (await Promise.all(newest.map(({ id }) => lessons.versions(TENANT, id)))).flat();
};

const acknowledgedIn = (folder: string): string[] => {
  const file = path.join(folder, 'acknowledged');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};

it('upkeep that is killed before or after any of its writes loses nothing acknowledged, and repeated ends as if it had not been', async () => {
  const calm = newHome();
  expect(await live(calm, 'upkeep', 0)).toBe(0);
  const wanted = await inHome(calm, allVersions);
  expect(wanted.map(({ trust }) => trust)).toEqual(expect.arrayContaining(['confirmed', 'retired']));
  expect(wanted.filter(({ contradicts }) => contradicts.length > 0).length).toBeGreaterThan(1);
  expect(wanted.filter(({ group }) => group !== null)).toHaveLength(1);
  const moments = Number(readFileSync(path.join(calm, 'moments'), 'utf8'));
  expect(moments).toBeGreaterThan(60);
  for (let moment = 1; moment <= moments; moment += EVERY) {
    const folder = newHome();
    expect(await live(folder, 'upkeep', moment), `moment ${moment}`).toBe('SIGKILL');
    await inHome(folder, async (house) => {
      const there = (await allVersions(house)).map(({ id, change }) => `${id} ${change.cause}`);
      expect(there, `moment ${moment}`).toEqual(expect.arrayContaining(acknowledgedIn(folder)));
      await upkeep(house.lessons, () => undefined);
      expect(await allVersions(house), `moment ${moment}`).toEqual(wanted);
    });
  }
}, 300_000);

const COUNT = 2100;
/** Kills that must have fallen while the snapshot was being written. */
const INSIDE = 3;

it('a snapshot that is killed while it is written is whole or not there, and every lesson is found', async () => {
  const prepared = newHome();
  const words = (n: number) => Array.from({ length: 150 }, (_, at) => `w${(n * 7 + at * 31) % 5000}`).join(' ');
  await inHome(prepared, async ({ db, lessons }) =>
    db.transaction(() => {
      for (let n = 0; n < COUNT; n += 1)
        void lessons.put(TENANT, lesson(`l${n}`, { situation: `trouble only${n} ${words(n)}` }));
    }),
  );
  let inside = 0;
  for (let round = 0; inside < INSIDE && round < 60; round += 1) {
    const folder = newHome();
    cpSync(prepared, folder, { recursive: true });
    expect(await live(folder, 'snapshot', round * 250)).toBe('SIGKILL');
    expect(existsSync(path.join(folder, 'begun'))).toBe(true);
    if (!existsSync(path.join(folder, 'written'))) inside += 1;
    await inHome(folder, async ({ db, lessons }) => {
      expect(db.check()).toEqual([]);
      expect(await lessons.list(TENANT, { limit: 10_000 })).toHaveLength(COUNT);
      for (const n of [0, 1234, COUNT - 1]) {
        const [best] = await lessons.query(TENANT, { text: `only${n}`, limit: 1 });
        expect(best?.lesson.id).toBe(`l${n}`);
      }
    });
  }
  expect(inside, 'kills inside the write').toBeGreaterThanOrEqual(INSIDE);
}, 300_000);
