// `hca lessons` as a person uses it: a task teaches, its lesson is found, shown, decided on, taken out and in.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { LessonFound } from '#shared/contracts/acp-lessons.ts';
import { makePlace, makeProject } from '#test/support/command.ts';

const place = makePlace();
const elsewhere = makePlace();
afterAll(async () => {
  await place.close();
  await elsewhere.close();
});

it('what a task taught is found, shown, retired with a reason, rolled back, exported and imported elsewhere', async () => {
  const workspace = makeProject(place.top);
  expect((await place.hca(['run', 'make lint pass', '-w', workspace])).exit).toBe(0);
  const found = await place.json(['lessons', 'search', 'lint', '--type', 'pattern', '--tag', 'biome,lint', '--all']);
  const hit = found.lessons.find(({ lesson }: LessonFound) => lesson.alternatives.for.includes('safe-fixes'));
  const { id } = hit.lesson;
  expect(hit.why.join(' ')).toContain('lint in');
  const shown = await place.hca(['lessons', 'show', id]);
  expect(shown.out).toMatch(/pattern, provisional[\s\S]*Speaks for\s+safe-fixes[\s\S]*Evidence/);
  expect((await place.hca(['lessons', 'retire', id, '--why', 'not here'])).out).toContain('retired');
  expect((await place.hca(['lessons', 'history', id])).out).toMatch(/v1 [\s\S]*v2 .*retired .*not here/);
  expect((await place.hca(['lessons', 'diff', id])).out).toMatch(/trust\s+"provisional"\s+→\s+"retired"/);
  expect((await place.hca(['lessons', 'rollback', id, '--to', '1'])).out).toContain('provisional (version 3)');
  expect((await place.hca(['lessons', 'health'])).out).toMatch(/junk rate\s+0\.0 %/);
  const { out } = await place.hca(['lessons', 'export']);
  const lines = out.trim().split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(3);
  const file = path.join(place.top, 'lessons.jsonl');
  writeFileSync(file, `${out}\n`);
  const taken = await elsewhere.json(['lessons', 'import', file]);
  expect(taken.results).toHaveLength(lines.length);
  expect((await elsewhere.json(['lessons', 'search', 'lint'])).lessons).toEqual([]);
  const apart = await elsewhere.json(['lessons', 'list', '--trust', 'quarantined']);
  const kept = taken.results.filter(({ status }: { status: string }) => status === 'quarantined');
  expect(kept.length).toBeGreaterThan(0);
  expect(apart.lessons).toHaveLength(kept.length);
  expect((await elsewhere.hca(['lessons', 'health'])).out).toMatch(/junk rate\s+100\.0 %/);
  expect((await elsewhere.hca(['lessons', 'export'])).out.trim().split('\n')).toHaveLength(kept.length);
  writeFileSync(file, '{"id": "x"}\nno json\n');
  expect(await elsewhere.hca(['lessons', 'import', file])).toMatchObject({
    exit: 2,
    err: expect.stringContaining('line 2'),
  });
  expect(await place.hca(['lessons', 'show', 'lesson-nobody'])).toMatchObject({ exit: 2 });
});
