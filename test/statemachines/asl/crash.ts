// A machine with everything in it, run once with the journal copied after every write: what the disk holds at each crash.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Functions, migrated, Rig } from '#test/statemachines/asl/rig.ts';
import { ask, each, machine, named, task } from '#test/statemachines/asl/states.ts';

const payload = { Output: '{% $states.result.Payload %}' };

/** Every kind of state, a retry, a catch, tokens answered inside and outside the call, a Map with waits, variables. */
export const json = machine({
  Start: task('flaky', {
    ...payload,
    Assign: { count: 1, id: '{% $uuid() %}' },
    Retry: [{ ErrorEquals: ['Busy'], MaxAttempts: 9, JitterStrategy: 'FULL' }],
    Next: 'Pause',
  }),
  Pause: { Type: 'Wait', Seconds: 3, Assign: { count: '{% $count + 1 %}' }, Next: 'Ask' },
  Ask: ask('asked', { Assign: { answer: '{% $states.result %}' }, Output: { items: [1, 2, 3] }, Next: 'Each' }),
  Each: each(
    {
      Work: task(
        'work',
        { Assign: { mine: '{% $states.result.Payload %}' }, Next: 'Nap' },
        { n: '{% $states.input.n %}', count: '{% $count %}' },
      ),
      Nap: { Type: 'Wait', Seconds: '{% $states.context.Map.Item.Value %}', Next: 'Confirm' },
      Confirm: ask('confirm', { Output: { mine: '{% $mine %}', said: '{% $states.result %}' } }),
    },
    {
      Items: '{% $states.input.items %}',
      MaxConcurrency: 2,
      ItemSelector: { n: '{% $states.context.Map.Item.Value %}' },
      Next: 'Broken',
    },
  ),
  Broken: task('broken', {
    Catch: [
      {
        ErrorEquals: ['Bad'],
        Next: 'Which',
        Assign: { why: '{% $states.errorOutput.Error %}' },
        Output: '{% $states.input %}',
      },
    ],
    Next: 'Which',
  }),
  Which: { Type: 'Choice', Choices: [{ Condition: '{% $count < 4 %}', Next: 'Again' }], Default: 'End' },
  Again: task('again', { Assign: { count: '{% $count + 1 %}' }, Output: '{% $states.input %}', Next: 'Which' }),
  End: {
    Type: 'Succeed',
    Output: { each: '{% $states.input %}', count: '{% $count %}', answer: '{% $answer %}', why: '{% $why %}' },
  },
});

export const expected = {
  each: [1, 2, 3].map((n) => ({ mine: { worked: n, count: 2 }, said: `confirmed` })),
  count: 4,
  answer: 'yes',
  why: 'Bad',
};

/** Functions of one process. Tokens are answered once the call has returned, except `confirm`, which answers within it. */
export function processOf(db: DatabaseSync): { rig: Rig; run: () => Promise<void> } {
  let failures = 2;
  const pending: string[] = [];
  const functions: Functions = {
    flaky: () => {
      failures -= 1;
      if (failures >= 0) throw named('Busy');
      return 'up';
    },
    asked: ({ token }) => {
      pending.push(String(token));
    },
    work: ({ n, count }) => ({ worked: n, count }),
    confirm: ({ token }) => rig.asl.succeed(String(token), 'confirmed'),
    broken: () => {
      throw named('Bad');
    },
    again: () => null,
  };
  const rig: Rig = new Rig({ machine: json, functions, db, random: () => 0.5 });
  const run = async () => {
    await rig.asl.idle();
    pending.push(...outstanding(db));
    for (let more = true; more; more = step(rig, pending.splice(0))) await rig.asl.idle();
    await rig.asl.idle();
  };
  return { rig, run };
}

/** Answers what is asked, else turns the clock to the next timer; false when there is neither. */
function step(rig: Rig, tokens: readonly string[]): boolean {
  for (const token of tokens) rig.asl.succeed(token, 'yes');
  const next = rig.clock.untilNext;
  if (tokens.length === 0 && next !== undefined) rig.clock.advance(next);
  return tokens.length > 0 || next !== undefined;
}

/** Tokens that an earlier process handed out and nobody has answered: the world still knows them. */
function outstanding(db: DatabaseSync): string[] {
  const rows = db
    .prepare("SELECT token FROM asl_attempts WHERE state = 'Ask' AND over = 0 AND invoked IS NOT NULL")
    .all();
  return rows.map((row) => String(row.token));
}

/** A database that is copied to a file after every write: what the disk would hold after kill -9 at that moment. */
function copying(folder: string, copies: string[]): DatabaseSync {
  const db = migrated();
  const prepare = db.prepare.bind(db);
  db.prepare = (sql) => {
    const statement = prepare(sql);
    const run = statement.run.bind(statement);
    statement.run = ((...values: string[]) => {
      const result = run(...values);
      const path = join(folder, `${copies.length}.db`);
      db.exec(`VACUUM INTO '${path}'`);
      copies.push(path);
      return result;
    }) as typeof statement.run;
    return statement;
  };
  return db;
}

/** Runs the whole once, in a new folder; the paths of the journal's copies, one for each write. */
export async function crashes(): Promise<{ folder: string; copies: string[]; rig: Rig }> {
  const folder = mkdtempSync(join(tmpdir(), 'asl-'));
  const copies: string[] = [];
  const { rig, run } = processOf(copying(folder, copies));
  rig.asl.start({ machine: 'm', name: 'x' }, {});
  await run();
  return { folder, copies, rig };
}

/** Opens a copy as the next process would; without waiting for the disk. */
export function reopened(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY');
  return db;
}
