// Two processes on one database, and a process that is killed while it publishes: one winner each, overrun 0, nothing half there (pitfalls 36 and 38).
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { localPorts } from '#shared/adapters/local/ports.ts';
import { restOf } from '#shared/domain/ledger.ts';
import { all, rootId, TENANT, task } from '../suites/samples.ts';
import { newHome, openHome } from './home.ts';
import type { Order, Report } from './rival.ts';

const RIVAL = fileURLToPath(new URL('./rival.ts', import.meta.url));
const ids = (from: number, count: number) => Array.from({ length: count }, (_, n) => rootId(from + n));

const startRival = async (folder: string, name: string): Promise<ChildProcess> => {
  const rival = fork(RIVAL, [folder, name], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  onTestFinished(() => void rival.kill('SIGKILL'));
  expect((await once(rival, 'message'))[0]).toBe('ready');
  return rival;
};

const order = async (rival: ChildProcess, what: Order): Promise<Report> => {
  const answer = once(rival, 'message');
  rival.send(what);
  return (await answer)[0] as Report;
};

/** Gives both rivals the same order, again and again, until they were seen to work at the same time, at least so many rounds. */
const race = async (
  rivals: ChildProcess[],
  rounds: number,
  round: (n: number) => Promise<{ what: Order; check: (reports: Report[]) => Promise<void> }>,
) => {
  let overlaps = 0;
  for (let n = 0; n < rounds || overlaps === 0; n += 1) {
    const { what, check } = await round(n);
    const reports = await Promise.all(rivals.map((rival) => order(rival, what)));
    const lastBegan = Math.max(...reports.map((report) => Number(report.began)));
    const firstEnded = Math.min(...reports.map((report) => Number(report.ended)));
    if (lastBegan < firstEnded) overlaps += 1;
    await check(reports);
  }
  return overlaps;
};

test('of two processes that save on one version exactly one wins, and its record is the one that stays', async () => {
  const folder = newHome();
  const house = openHome({ folder });
  const rivals = await Promise.all(['left', 'right'].map((name) => startRival(folder, name)));
  const records = ids(0, 40);
  for (const id of records) await house.tasks.save(task(id), 0);
  const overlaps = await race(rivals, 10, async (n) => ({
    what: { do: 'save', ids: records, expected: n + 1 },
    check: async ([left, right]) => {
      const winners = [left, right].flatMap((report, index) =>
        (report?.results ?? []).map((id) => ({ id, version: n + 2, holon: index === 0 ? 'left' : 'right' })),
      );
      expect(winners.map((winner) => winner.id).sort()).toEqual(records);
      for (const winner of winners) expect(await house.tasks.load(TENANT, winner.id)).toMatchObject(winner);
    },
  }));
  expect(overlaps).toBeGreaterThan(0);
});

test('40 grants from two processes on one ledger: what fits is granted, overrun 0', async () => {
  const folder = newHome();
  const house = openHome({ folder });
  const rivals = await Promise.all(['left', 'right'].map((name) => startRival(folder, name)));
  const overlaps = await race(rivals, 5, async (n) => {
    const parents = ids(n * 10, 3);
    for (const parent of parents) await house.ledger.open(TENANT, parent, all(305));
    return {
      what: { do: 'grant', parents, times: 20 },
      check: async (reports) => {
        for (const parent of parents) {
          const granted = reports.flatMap((report) => report.results).filter((child) => child.startsWith(parent));
          expect(granted).toHaveLength(30);
          const item = await house.ledger.read(TENANT, parent);
          expect(item && restOf(item)).toEqual(all(5));
        }
      },
    };
  });
  expect(overlaps).toBeGreaterThan(0);
});

test('of two processes that resolve one wait both see the same first outcome', async () => {
  const folder = newHome();
  openHome({ folder });
  const rivals = await Promise.all(['left', 'right'].map((name) => startRival(folder, name)));
  const overlaps = await race(rivals, 10, async (n) => ({
    what: { do: 'outcome', tasks: ids(n * 100, 40) },
    check: async ([left, right]) => expect(left?.results).toEqual(right?.results),
  }));
  expect(overlaps).toBeGreaterThan(0);
});

test('two processes may open one new home at the same moment', async () => {
  for (let n = 0; n < 3; n += 1) {
    const folder = newHome();
    const rivals = await Promise.all(['a', 'b'].map((name) => startRival(folder, name)));
    for (const rival of rivals) rival.kill('SIGKILL');
    expect(openHome({ folder }).db.check()).toEqual([]);
  }
});

test.each([1, 7, 40])(
  'killed after batch %i: every call that returned is stored, every other call wholly or not at all',
  async (batches) => {
    const folder = newHome();
    const rival = await startRival(folder, 'publisher');
    const returned: number[] = [];
    const dead = once(rival, 'exit');
    rival.on('message', (batch: number) => {
      returned.push(batch);
      if (returned.length === batches) rival.kill('SIGKILL');
    });
    rival.send({ do: 'publish', batch: 3 } satisfies Order);
    expect((await dead)[1]).toBe('SIGKILL');

    const house = localPorts({ folder });
    onTestFinished(() => house.close());
    const delivered: string[] = [];
    house.bus.subscribe('hca/task/cancel', 'route', async (message) => void delivered.push(message.id));
    house.bus.start();
    await house.bus.idle();
    const stored = delivered.length / 3;
    expect(stored).toBeGreaterThanOrEqual(returned.length);
    expect(returned.length).toBeGreaterThanOrEqual(batches);
    expect(delivered).toEqual(Array.from({ length: stored }, (_, n) => [`${n}:0`, `${n}:1`, `${n}:2`]).flat());
    expect(house.db.check()).toEqual([]);
  },
);
