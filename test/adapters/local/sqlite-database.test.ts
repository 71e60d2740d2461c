// The database file: migrations, a file that is newer or damaged, a disk that is full or read-only (issue: a clear error, nothing lost).
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '#shared/adapters/local/sqlite-database.ts';
import type { Migrations } from '#shared/adapters/local/sqlite-migrations.ts';
import { cancel, delegate, entry, rootId, TENANT, task } from '../suites/samples.ts';
import { faultOf, newHome, openHome, quickTimers } from './home.ts';

const notes = (...steps: string[][]): Migrations => ({ area: 'notes', steps });
const FIRST = ['CREATE TABLE notes (text TEXT NOT NULL) STRICT', "INSERT INTO notes VALUES ('kept')"];
const SECOND = ["ALTER TABLE notes ADD COLUMN by TEXT NOT NULL DEFAULT 'nobody'"];
const read = (folder: string, ...steps: string[][]) => {
  const db = openDatabase({ folder, migrations: [notes(...steps)] });
  const rows = db.all('SELECT * FROM notes').map((row) => ({ ...row }));
  db.close();
  return rows;
};

describe('migrations', () => {
  test('each step runs once, later ones on top of what is stored', () => {
    const folder = newHome();
    expect(read(folder, FIRST)).toEqual([{ text: 'kept' }]);
    expect(read(folder, FIRST)).toEqual([{ text: 'kept' }]);
    expect(read(folder, FIRST, SECOND)).toEqual([{ text: 'kept', by: 'nobody' }]);
  });

  test('a step that fails leaves nothing of itself, and the next start tries again', () => {
    const folder = newHome();
    read(folder, FIRST);
    expect(() => read(folder, FIRST, [...SECOND, 'NOT SQL'])).toThrow('syntax error');
    expect(read(folder, FIRST)).toEqual([{ text: 'kept' }]);
    expect(read(folder, FIRST, SECOND)).toEqual([{ text: 'kept', by: 'nobody' }]);
  });

  test('a database newer than the code is refused by name, with the remedy, and stays as it is', async () => {
    const folder = newHome();
    read(folder, FIRST, SECOND);
    const fault = await faultOf(() => read(folder, FIRST));
    expect(fault).toMatchObject({ code: 'HcaCorrupt', field: 'home', remedy: expect.stringContaining('update hca') });
    expect(fault.message).toContain(path.join(folder, 'hca.sqlite'));
    expect(read(folder, FIRST, SECOND)).toHaveLength(1);
  });
});

describe('a damaged file', () => {
  /** Overwrites the end of a file: the rows that were stored last. */
  const damage = (file: string, bytes: number) => {
    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(bytes, 0x5a), 0, bytes, readFileSync(file).length - bytes);
    closeSync(handle);
  };

  test('what is no database is refused by name and not touched', async () => {
    const folder = newHome();
    const file = path.join(folder, 'hca.sqlite');
    writeFileSync(file, 'a letter to my grandmother\n'.repeat(400));
    const before = readFileSync(file);
    const fault = await faultOf(() => openHome({ folder }));
    expect(fault).toMatchObject({ code: 'HcaCorrupt', remedy: expect.stringContaining('backup') });
    expect(fault.message).toContain(file);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('a database with overwritten pages is a fault, and the doctor sees it', async () => {
    const folder = newHome();
    const first = openHome({ folder });
    for (let n = 0; n < 50; n += 1) await first.tasks.save(task(rootId(n)), 0);
    expect(first.db.check()).toEqual([]);
    await first.close();
    damage(path.join(folder, 'hca.sqlite'), 60 * 1024);
    const second = openHome({ folder });
    const look = async () => {
      for (let n = 0; n < 50; n += 1) await second.tasks.load(TENANT, rootId(n));
    };
    expect((await faultOf(look)).code).toBe('HcaCorrupt');
    expect(second.db.check()).not.toEqual([]);
  });

  test.each(['{"id": "cut', '{}', '{"id":"ANOTHER","kind":"task","version":1}', 'null'])(
    'a record whose row holds %j is named, the others are read',
    async (body) => {
      const folder = newHome();
      const before = openHome({ folder });
      for (const n of [1, 2]) await before.tasks.save(task(rootId(n)), 0);
      before.db.run('UPDATE records SET body = ? WHERE id = ?', [body, rootId(1)]);
      await before.close();
      const { tasks } = openHome({ folder });
      const fault = await faultOf(() => tasks.load(TENANT, rootId(1)));
      expect(fault).toMatchObject({ code: 'HcaCorrupt', message: expect.stringContaining(rootId(1)) });
      expect(await tasks.load(TENANT, rootId(2))).toMatchObject({ id: rootId(2) });
    },
  );

  test('checked, a record that is off its contract is neither saved nor read', async () => {
    const { db, tasks } = openHome({ checked: true });
    await expect(tasks.save(task(rootId(1), { iteration: -1 }), 0)).rejects.toThrow('iteration');
    await tasks.save(task(rootId(1)), 0);
    db.run(`UPDATE records SET body = json_set(body, '$.iteration', -1)`);
    expect((await faultOf(() => tasks.load(TENANT, rootId(1)))).code).toBe('HcaCorrupt');
  });
});

describe('a disk that takes nothing more', () => {
  const large = (n: number) => delegate(`m${n}`, { caused_by: 'x'.repeat(50_000) });

  test('full: a clear fault that may be retried; what was stored is kept, nothing is half there', async () => {
    const folder = newHome();
    const house = openHome({ folder });
    await house.tasks.save(task(rootId(1)), 0);
    await house.journal.append(entry(rootId(1), 1));
    house.db.get('PRAGMA max_page_count = 60');
    const fault = await faultOf(() => house.messages.publish([cancel('small'), ...[1, 2, 3, 4, 5, 6].map(large)]));
    expect(fault).toMatchObject({ code: 'HcaUnavailable', remedy: expect.stringContaining('free some space') });
    expect(fault.message).toContain('the disk is full');
    expect(house.db.all('SELECT id FROM messages')).toEqual([]);
    expect(await house.tasks.load(TENANT, rootId(1))).toEqual(task(rootId(1)));

    house.db.get('PRAGMA max_page_count = 100000');
    await house.messages.publish([cancel('small'), ...[1, 2, 3, 4, 5, 6].map(large)]);
    expect(house.db.all('SELECT id FROM messages')).toHaveLength(7);
  });

  test('full while a delivery is noted: the message comes again and is lost nowhere', async () => {
    const house = openHome({ bus: { timers: quickTimers().timers } });
    const seen: string[] = [];
    house.bus.subscribe('hca/task/cancel', 'route', async (message) => {
      seen.push(message.id);
      house.db.get(`PRAGMA query_only = ${seen.length < 3 ? 1 : 0}`);
    });
    await house.bus.publish([cancel('m1')]);
    house.bus.start();
    await house.bus.idle();
    expect(seen.length).toBeGreaterThanOrEqual(3);
    expect(new Set(seen)).toEqual(new Set(['m1']));
    expect(house.bus.deadLetters()).toEqual([]);
    expect(await house.inbox.seen('route', 'm1 hca/task/cancel')).toBe(true);
  });

  test('read-only: refused with the remedy', async () => {
    const house = openHome();
    house.db.get('PRAGMA query_only = 1');
    const fault = await faultOf(() => house.marks.set(TENANT, rootId(1), 'cause'));
    expect(fault).toMatchObject({ code: 'HcaUnavailable', remedy: expect.stringContaining('writable') });
  });

  test('a home that is a file is refused by name', async () => {
    const folder = path.join(newHome(), 'file');
    writeFileSync(folder, '');
    expect((await faultOf(() => openHome({ folder }))).message).toContain(folder);
  });
});
