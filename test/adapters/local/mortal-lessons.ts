// A process that stores and changes lessons until it dies at a moment that it was told: before or after the n-th write, or while one is under way.
// What was acknowledged, and whether a write was under way, it puts into files at once: nothing that it would only say survives.
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { openDatabase, type SqliteDatabase } from '#shared/adapters/local/sqlite-database.ts';
import { sqliteLessons } from '#shared/adapters/local/sqlite-lessons.ts';
import { NOW, upkeep } from './upkeep-work.ts';

const [folder = '', kind = '', moment = '0'] = process.argv.slice(2);

let moments = 0;

const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('it lives');
};

/** Moments are counted in halves: 2n - 1 is before the n-th write, 2n after it, in its transaction still. */
const mortal = (db: SqliteDatabase): SqliteDatabase => {
  const pass = (): void => {
    moments += 1;
    if (moments === Number(moment)) die();
  };
  return {
    ...db,
    run: (sql, params) => {
      pass();
      const changed = db.run(sql, params);
      pass();
      return changed;
    },
  };
};

/** Dies so many microseconds after it began to write a snapshot; the files say whether it was still writing. */
const hurried = (db: SqliteDatabase): SqliteDatabase => ({
  ...db,
  run: (sql, params) => {
    if (!sql.includes('INTO lesson_snapshots')) return db.run(sql, params);
    const shared = new Int32Array(new SharedArrayBuffer(4));
    const killer = new Worker(KILLER, { eval: true, workerData: { shared, us: Number(moment) } });
    Atomics.wait(shared, 0, 0);
    writeFileSync(path.join(folder, 'begun'), '');
    Atomics.store(shared, 0, 2);
    Atomics.notify(shared, 0);
    const changed = db.run(sql, params);
    writeFileSync(path.join(folder, 'written'), '');
    void killer;
    return changed;
  },
});

const KILLER = `
  const { workerData: { shared, us } } = require('node:worker_threads');
  Atomics.store(shared, 0, 1);
  Atomics.notify(shared, 0);
  while (Atomics.load(shared, 0) !== 2);
  const from = process.hrtime.bigint();
  while (process.hrtime.bigint() - from < BigInt(us) * 1000n);
  process.kill(process.pid, 'SIGKILL');
`;

const db = openDatabase({ folder });
const lessons = sqliteLessons(kind === 'upkeep' ? mortal(db) : hurried(db), { now: () => NOW, ulid: () => '' });

if (kind === 'upkeep') {
  await upkeep(lessons, (what) => appendFileSync(path.join(folder, 'acknowledged'), `${what}\n`));
  writeFileSync(path.join(folder, 'moments'), String(moments));
  process.exit(0);
}
await lessons.query('local', { text: 'trouble' });
// The killer is awaited; who gets here was not killed.
setTimeout(() => process.exit(1), 20_000);
