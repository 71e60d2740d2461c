// kill -9 of a real process at seeded moments: a restart finishes the task as if nothing had happened (requirements section 9; pitfall 15).
import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { finalState, hashOf, withoutCalls } from '#test/support/chaos/final-state.ts';
import { scratch } from '#test/support/chaos/folders.ts';
import { ROOT_GOAL } from '#test/support/chaos/goals.ts';
import { openChaosHouse } from '#test/support/chaos/house.ts';
import type { Report } from '#test/support/chaos/mortal-house.ts';
import { between, seeded } from '#test/support/chaos/seeded.ts';
import { submit } from '#test/support/submit.ts';

const DRIVER = fileURLToPath(new URL('../support/chaos/mortal-house.ts', import.meta.url));
/** HCA_KILLS, else 200: how often a house with an open task is killed. */
const KILLS = Number(process.env.HCA_KILLS ?? 200);
/** Houses that live, and die, in one process: the start of a process costs far more than the task in it. */
const HOUSES = 8;
/** A house makes some 500 port calls from offer to end; the kill comes within these, wherever each house is. */
const CALLS = 400;

const { folder, remove } = scratch('kill');
afterAll(remove);

const exited = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));

/** Lives until all tasks are over or the process asks for its death; what was reported before counts. */
const live = async (homes: readonly string[], moment: number): Promise<Report[]> => {
  const child = fork(DRIVER, [`${moment}`, ...homes], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const reports: Report[] = [];
  child.on('message', (said: 'now' | Report) => {
    if (said === 'now') child.kill('SIGKILL');
    else reports.push(said);
  });
  await exited(child);
  if (child.signalCode !== 'SIGKILL') expect(child.exitCode).toBe(0);
  return reports;
};

interface Deaths {
  kills: number;
  reports: Report[];
}

/** One batch of houses, killed until `wanted` deaths are had and then left alone; each dies several times before its task is over. */
const batch = async (index: number, wanted: number): Promise<Deaths> => {
  const random = seeded(1000 + index);
  const reports: Report[] = [];
  let kills = 0;
  let open = Array.from({ length: HOUSES }, (_, house) => path.join(folder, `${index}-${house}`));
  while (open.length > 0) {
    const moment = kills < wanted ? between(random, 1, CALLS * open.length) : 0;
    const said = await live(open, moment);
    reports.push(...said);
    const before = open.length;
    open = open.filter((home) => said.every((report) => report.folder !== home));
    if (open.length > 0 || said.length < before) kills += open.length;
  }
  return { kills, reports };
};

describe('a process that is killed', () => {
  it(`${KILLS} times at random moments: every task ends as undisturbed`, async () => {
    const calm = await openChaosHouse();
    calm.start();
    const root = await submit(calm, { goal: ROOT_GOAL });
    await calm.idle();
    const wanted = hashOf(withoutCalls(await finalState(calm, root)));
    await calm.close();
    const all: Deaths = { kills: 0, reports: [] };
    for (let index = 0; all.kills < KILLS; index += 2) {
      const pair = await Promise.all([0, 1].map((lane) => batch(index + lane, (KILLS - all.kills) / 2)));
      for (const { kills, reports } of pair) {
        all.kills += kills;
        all.reports.push(...reports);
      }
    }
    expect(all.reports.length % HOUSES).toBe(0);
    for (const { folder: _folder, ...report } of all.reports)
      expect(report).toEqual({ hash: wanted, broken: [], illegal: [] });
  });
});
