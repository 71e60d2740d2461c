// Lessons under many hands: sixteen writers at once, writers that are killed, a shelf that another process fills, snapshots that are torn
// (L3-KBS-01; pitfall 36).
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { LocalPorts } from '#shared/adapters/local/ports.ts';
import { lesson, TENANT } from '../suites/samples.ts';
import { newHome, openHome } from './home.ts';

const WRITER = fileURLToPath(new URL('lesson-writer.ts', import.meta.url));
const execArgv = ['--disable-warning=ExperimentalWarning'];

interface Done {
  acknowledged: string[];
  began: number;
  ended: number;
}

/** A writer process that waits for its order. */
const writer = async (folder: string, kind: 'groups' | 'credits', from: number): Promise<ChildProcess> => {
  const one = fork(WRITER, [folder, kind, String(from)], { execArgv, stdio: 'inherit' });
  await once(one, 'message');
  return one;
};

const order = async (one: ChildProcess, count: number): Promise<Done> => {
  one.send({ count, tell: false });
  const [done] = await once(one, 'message');
  return done;
};

/** Sixteen at once, each with its own ten; true only if they were at it at the same time. */
const sixteen = async (folder: string, kind: 'groups' | 'credits'): Promise<string[]> => {
  const writers = await Promise.all(Array.from({ length: 16 }, (_, n) => writer(folder, kind, n * 100)));
  const done = await Promise.all(writers.map((one) => order(one, 10)));
  const lastBegan = Math.max(...done.map(({ began }) => began));
  expect(done.filter(({ ended }) => ended > lastBegan).length, 'writers that overlapped').toBeGreaterThan(8);
  return done.flatMap(({ acknowledged }) => acknowledged);
};

/** Every stored lesson; each member's head is there and leads itself. */
const wholeGroups = async (house: LocalPorts) => {
  const stored = await house.lessons.list(TENANT, { limit: 10_000 });
  const heads = stored.filter(({ group }) => group === null).map(({ id }) => id);
  for (const { group } of stored) if (group !== null) expect(heads).toContain(group);
  return { stored: stored.map(({ id }) => id), heads };
};

describe('sixteen writers at once', () => {
  it('lose nothing, and make each group once', async () => {
    const folder = newHome();
    const house = openHome({ folder });
    const acknowledged = await sixteen(folder, 'groups');
    const { stored, heads } = await wholeGroups(house);
    expect(stored.toSorted()).toEqual(acknowledged.toSorted());
    expect(heads).toHaveLength(4);
    for (const id of heads) expect((await house.lessons.get(TENANT, id))?.trust).toBe('confirmed');
  }, 120_000);

  it('credit one lesson without losing a count', async () => {
    const folder = newHome();
    const house = openHome({ folder });
    await house.lessons.put(TENANT, lesson('shared', { change: { cause: 'first', why: '', at: 1 } }));
    await sixteen(folder, 'credits');
    const versions = await house.lessons.versions(TENANT, 'shared');
    expect(versions.at(-1)?.outcomes).toEqual({ used: 160, helped: 160, hurt: 0 });
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 161 }, (_, n) => n + 1));
  }, 120_000);
});

it('a writer that is killed loses nothing that it acknowledged; what is delivered again completes its groups', async () => {
  const folder = newHome();
  const house = openHome({ folder });
  for (let round = 0; round < 5; round += 1) {
    const from = 10_000 + round * 1000;
    const one = await writer(folder, 'groups', from);
    const acknowledged: string[] = [];
    one.on('message', ({ id }: { id: string }) => acknowledged.push(id));
    one.send({ count: 900, tell: true });
    while (acknowledged.length < 3 + round) await once(one, 'message');
    one.kill('SIGKILL');
    await once(one, 'exit');
    for (const id of acknowledged) expect((await house.lessons.versions(TENANT, id))[0]?.version).toBe(1);
    await order(await writer(folder, 'groups', from), acknowledged.length + 50);
  }
  const { heads } = await wholeGroups(house);
  expect(heads).toHaveLength(4);
}, 120_000);

describe('the shelf', () => {
  it('finds at once what another process stored', async () => {
    const folder = newHome();
    const [house, other] = [openHome({ folder }), openHome({ folder })];
    expect(await house.lessons.query(TENANT, { text: 'linter' })).toEqual([]);
    await other.lessons.put(TENANT, lesson('l1'));
    expect((await house.lessons.query(TENANT, { text: 'linter' })).map((hit) => hit.lesson.id)).toEqual(['l1']);
  });

  it('comes from a snapshot and the tail, and from the record when the snapshot is torn', async () => {
    const folder = newHome();
    const house = openHome({ folder });
    const find = async (ports: LocalPorts) =>
      (await ports.lessons.query(TENANT, { text: 'w2099 w7', limit: 2 })).map((hit) => hit.lesson.id).toSorted();
    house.db.transaction(() => {
      for (let n = 0; n < 2100; n += 1)
        void house.lessons.put(TENANT, lesson(`l${n}`, { situation: `trouble number w${n}` }));
    });
    expect(await find(house)).toEqual(['l2099', 'l7']);
    expect(house.db.get('SELECT seq FROM lesson_snapshots WHERE tenant = ?', [TENANT])).toMatchObject({ seq: 2100 });
    await house.lessons.put(TENANT, lesson('l7', { version: 2, trust: 'retired' }));
    expect(await find(openHome({ folder }))).toEqual(['l2099']);
    house.db.run('UPDATE lesson_snapshots SET bytes = substr(bytes, 1, 5000)');
    expect(await find(openHome({ folder }))).toEqual(['l2099']);
  }, 60_000);
});
