// kill -9 between any two journal writes: the copy of the journal taken there resumes to the same output, and no completed
// visit runs again.
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VisitRow } from '#local/asl/rows.ts';
import { crashes, expected, json, processOf, reopened } from '#test/statemachines/asl/crash.ts';
import { Rig } from '#test/statemachines/asl/rig.ts';
import { each, machine, named, task } from '#test/statemachines/asl/states.ts';

const visitsIn = (db: DatabaseSync) =>
  VisitRow.array().parse(db.prepare('SELECT * FROM asl_visits ORDER BY path, visit').all());
const x = { machine: 'm', name: 'x' };

const count = (db: DatabaseSync, sql: string) => Number(db.prepare(sql).get()?.n);
const TASKS = "SELECT count(*) AS n FROM asl_visits WHERE type = 'Task' AND state <> 'Start'";
const RETURNED = `SELECT count(*) AS n FROM asl_attempts WHERE (invoked IS NOT NULL OR outcome IS NOT NULL)
  AND (path, visit) NOT IN (SELECT path, visit FROM asl_visits)`;

let whole: Awaited<ReturnType<typeof crashes>>;
const folders: string[] = [];
beforeAll(async () => {
  whole = await crashes();
  folders.push(whole.folder);
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const validate = createRequire(import.meta.url)('asl-validator') as (machine: unknown) => { isValid: boolean };

describe('after kill -9', () => {
  it('(on a machine that Step Functions would take)', () => {
    expect(validate(json)).toMatchObject({ isValid: true });
  });

  it('at every single write, the execution ends as it would have and repeats no completed visit', async () => {
    expect(whole.rig.asl.describe(x)).toMatchObject({ status: 'SUCCEEDED', output: expected });
    expect(whole.copies.length).toBeGreaterThan(35);
    for (const path of whole.copies) {
      const db = reopened(path);
      const before = visitsIn(db);
      const { rig, run } = processOf(db);
      rig.asl.resume();
      await run();
      expect(rig.asl.describe(x), path).toMatchObject({ status: 'SUCCEEDED', output: expected });
      const kept = visitsIn(db).filter((row) => before.some((old) => old.path === row.path && old.visit === row.visit));
      expect(kept, path).toEqual(before);
      db.close();
    }
  });

  it('calls exactly the functions of the visits that were not complete, unless their call had returned', async () => {
    const second = await crashes();
    folders.push(second.folder);
    for (const path of second.copies) {
      const db = reopened(path);
      const before = { tasks: count(db, TASKS), returned: count(db, RETURNED) };
      const { rig, run } = processOf(db);
      rig.asl.resume();
      await run();
      const made = rig.calls.filter((call) => call.name !== 'flaky').length;
      expect(made, path).toBe(count(db, TASKS) - before.tasks - before.returned);
      db.close();
    }
  });

  it('keeps retry counters and waits only what is left', async () => {
    const rig = new Rig({
      machine: machine({
        A: task('f', { Retry: [{ ErrorEquals: ['Busy'], IntervalSeconds: 10, MaxAttempts: 2, BackoffRate: 1 }] }),
      }),
      functions: {
        f: () => {
          throw named('Busy');
        },
      },
    });
    await rig.begin();
    await rig.after(4_000);
    await rig.restart();
    expect(rig.clock.untilNext).toBe(6_000);
    await rig.after(6_000);
    await rig.restart();
    expect(await rig.after(10_000)).toMatchObject({ status: 'FAILED', error: 'Busy' });
    expect(rig.calls).toHaveLength(3);
    expect(rig.events().filter((type) => type === 'TaskFailed')).toHaveLength(3);
  });

  it('keeps the items and inputs of a Map as they were computed', async () => {
    const states = { W: { Type: 'Wait', Seconds: 5, End: true } };
    const rig = new Rig({
      machine: machine({
        M: each(states, { Items: ['{% $uuid() %}', '{% $uuid() %}'], ItemSelector: { r: '{% $random() %}' } }),
      }),
    });
    await rig.begin();
    const before = rig.db.prepare('SELECT detail FROM asl_attempts WHERE path = ?').get('');
    await rig.restart();
    const { output } = await rig.after(5_000);
    const { inputs } = JSON.parse(String(before?.detail)) as { inputs: unknown[] };
    expect(output).toEqual(inputs);
  });

  it('ends at once where only the last word was missing', async () => {
    const rig = new Rig({ machine: machine({ A: task('f', { Output: 'done' }) }), functions: { f: () => 1 } });
    await rig.begin();
    rig.db.exec("UPDATE asl_executions SET status = 'RUNNING', ended = NULL, output = NULL, owed = 1");
    await rig.restart();
    expect(await rig.now()).toMatchObject({ status: 'SUCCEEDED', output: 'done' });
    expect(rig.calls).toHaveLength(1);
  });
});
