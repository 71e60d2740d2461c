// Yesterday's lessons still parse, still are found, and change nothing: what they do not say they do not claim.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openDatabase } from '#shared/adapters/local/sqlite-database.ts';
import { sqliteLessons } from '#shared/adapters/local/sqlite-lessons.ts';
import { systemClock } from '#shared/adapters/local/system-clock.ts';
import { Lesson } from '#shared/contracts/lesson.ts';
import { citable } from '#shared/domain/knowledge/apply.ts';

const golden = () => JSON.parse(readFileSync(new URL('fixtures/lesson-first-shape.json', import.meta.url), 'utf8'));

it('the first shape parses, and nothing that it said is lost', () => {
  const lesson = Lesson.parse(golden());
  expect(lesson).toMatchObject(golden());
  expect(lesson).toMatchObject({ trust: 'provisional', signature: null, group: null, outcomes: { used: 0 } });
});

it('it is found in the store, and cited in no situation', async () => {
  const db = openDatabase({ folder: ':memory:' });
  const body = JSON.stringify(golden());
  const { id, domain, family, created_at } = golden();
  db.run(
    'INSERT INTO lessons (tenant, id, version, domain, family, created_at, newest, body) VALUES (?, ?, 1, ?, ?, ?, 1, ?)',
    ['local', id, domain, family, created_at, body],
  );
  const lessons = sqliteLessons(db, systemClock());
  const [hit] = await lessons.query('local', { text: 'lint' });
  expect(hit?.lesson.id).toBe(id);
  expect(citable([hit!.lesson], { family, tools: [], failures: [], checks: [] })).toEqual([]);
  expect(await lessons.versions('local', id)).toHaveLength(1);
  db.close();
});
