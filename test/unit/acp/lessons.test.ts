// Lessons through the door: found, listed, compared, decided on by a person, taken out and in; poison stays apart (L3-KBS-03, L3-KBQ).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Lesson } from '#shared/contracts/lesson.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';

let at: TestDoor;
let lesson: Lesson;

beforeAll(async () => {
  at = await testDoor();
  for (const goal of ['take the turn', 'take the turn', 'take the left']) {
    await at.ask('_hca/task/submit', { goal, workspace: '/w' });
    await at.house.idle();
  }
  const { lessons } = await at.ask('_hca/lessons/search', { text: 'turn', family: 'turn' });
  lesson = lessons.find((hit) => hit.lesson.holon === 'turner')!.lesson;
});
afterAll(() => at.close());

const search = async (params: Parameters<typeof at.ask<'_hca/lessons/search'>>[1]) =>
  (await at.ask('_hca/lessons/search', params)).lessons;

describe('search', () => {
  it('ranks, says why, and keeps to every filter', async () => {
    const hits = await search({ text: 'take the turn' });
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(hits[0]?.why.join(' ')).toContain('turn');
    for (const hit of await search({ text: '', family: 'left' })) expect(hit.lesson.family).toBe('left');
    for (const hit of await search({ text: '', tags: ['left', 'turn'] }))
      expect(hit.lesson.tags.some((tag) => ['left', 'turn'].includes(tag))).toBe(true);
    expect(await search({ text: '', tags: ['left', 'turn'], match: 'all' })).toEqual([]);
    for (const hit of await search({ text: '', type: 'pattern' })) expect(hit.lesson.type).toBe('pattern');
    for (const hit of await search({ text: '', trust: 'confirmed' })) expect(hit.lesson.trust).toBe('confirmed');
    expect(await search({ text: 'turn', limit: 1 })).toHaveLength(1);
  });

  it.each([
    ['a domain that nobody has', { text: 'turn', domain: 'nowhere' }, 0],
    ['a family that nobody has', { text: 'turn', family: 'nothing' }, 0],
    ['no words', { text: '' }, 1],
    ['another script', { text: '曲がる поверни انعطف' }, 0],
    ['a tag that nobody has', { text: 'turn', tags: ['nowhere'] }, 0],
    [
      'every filter at once, which nothing passes',
      { text: 'turn', family: 'turn', type: 'antipattern' as const, trust: 'confirmed' as const, tags: ['left'] },
      0,
    ],
    ['nothing but signs', { text: '" -- \u0000 }{' }, 1],
    ['100 KB of query', { text: 'turn '.repeat(20_000) }, 1],
  ])('%s is answered', async (_what, params, least) => {
    expect((await search(params)).length).toBeGreaterThanOrEqual(least);
    if (least === 0) expect(await search(params)).toEqual([]);
  });
});

it('lists all, shows one by its id or by its task, and pages', async () => {
  const { lessons } = await at.ask('_hca/lessons/list', { limit: 1000 });
  const first = await at.ask('_hca/lessons/list', { limit: 2 });
  const second = await at.ask('_hca/lessons/list', { limit: 1000, after: first.next! });
  expect([...first.lessons, ...second.lessons].map(({ id }) => id)).toEqual(lessons.map(({ id }) => id));
  expect((await at.ask('_hca/lessons/show', { lesson: lesson.task_id })).lesson.id).toBe(lesson.id);
  await expect(at.ask('_hca/lessons/show', { lesson: 'lesson-nobody' })).rejects.toMatchObject({
    data: { code: 'HcaNotFound', field: 'lesson' },
  });
});

it('a person retires, confirms and rolls back; history and diff say what happened', async () => {
  const { id } = lesson;
  const retired = await at.ask('_hca/lessons/retire', { lesson: id, why: 'no longer so' });
  expect(retired.lesson).toMatchObject({ trust: 'retired', change: { why: 'owner: no longer so' } });
  expect((await search({ text: 'turn', limit: 50 })).map((hit) => hit.lesson.id)).not.toContain(id);
  const { lesson: confirmed } = await at.ask('_hca/lessons/confirm', { lesson: id });
  expect(confirmed.trust).toBe('confirmed');
  expect((await at.ask('_hca/lessons/confirm', { lesson: id })).lesson.version).toBe(confirmed.version);
  const { lesson: back } = await at.ask('_hca/lessons/rollback', { lesson: id, to: 1 });
  expect(back).toMatchObject({ trust: 'provisional', version: confirmed.version + 1 });
  const { versions } = await at.ask('_hca/lessons/history', { lesson: id });
  expect(versions.map(({ version }) => version)).toEqual(versions.map((_, index) => index + 1));
  const diff = await at.ask('_hca/lessons/diff', { lesson: id });
  expect(diff.changes).toEqual([{ field: 'trust', before: '"confirmed"', after: '"provisional"' }]);
  await expect(at.ask('_hca/lessons/rollback', { lesson: id, to: 99 })).rejects.toMatchObject({
    data: { field: 'version' },
  });
  const reader = { ...OWNER, scopes: ['read' as const] };
  await expect(at.ask('_hca/lessons/retire', { lesson: id }, reader)).rejects.toMatchObject({
    data: { code: 'HcaDenied' },
  });
});

it('what is exported and imported elsewhere waits apart until a person confirms it', async () => {
  const other = await testDoor();
  const { lessons } = await at.ask('_hca/lessons/export', {});
  const { results } = await other.ask('_hca/lessons/import', { lessons });
  expect(results).toHaveLength(lessons.length);
  expect(new Set(results.map(({ status }) => status))).not.toContain('stored');
  expect((await other.ask('_hca/lessons/search', { text: 'turn' })).lessons).toEqual([]);
  const { lessons: taken } = await other.ask('_hca/lessons/list', { limit: 1000 });
  const words = ({ type, situation, advice, did_not_work, evidence, alternatives, signature }: Lesson) =>
    JSON.stringify({ type, situation, advice, did_not_work, evidence, alternatives, signature });
  expect(taken).toHaveLength(results.filter(({ status }) => status === 'quarantined').length);
  for (const one of taken) {
    expect(one).toMatchObject({ trust: 'quarantined', version: 1, provenance: { origin: 'import' } });
    expect(one.outcomes).toEqual({ used: 0, helped: 0, hurt: 0 });
    expect(lessons.map(words)).toContain(words(one));
  }
  const again = await other.ask('_hca/lessons/import', { lessons });
  expect((await other.ask('_hca/lessons/list', { limit: 1000 })).lessons).toEqual(taken);
  expect(again.results.every(({ reason }) => /already there|near-duplicate/.test(reason))).toBe(true);
  const plain = await other.ask('_hca/task/submit', { goal: 'take the turn', workspace: '/w' });
  await other.house.idle();
  const leaf = (await other.house.ports.tasks.below('local', plain.task)).find(({ holon }) => holon === 'turner');
  expect(leaf).toMatchObject({ used: [], plan: { lessons: [], learned: [] } });
  const apart = results.find(({ status }) => status === 'quarantined')!;
  await other.ask('_hca/lessons/confirm', { lesson: apart.id });
  const found = (await other.ask('_hca/lessons/search', { text: 'turn' })).lessons;
  const foreign = found.filter((hit) => hit.lesson.provenance.origin === 'import');
  expect(foreign.map((hit) => hit.lesson.id)).toEqual([apart.id]);
  await other.close();
});

it('ten thousand near-duplicates from outside leave one, kept apart, and the plans as they were', async () => {
  const before = await at.ask('_hca/lessons/health', {});
  const copies = Array.from({ length: 500 }, (_, n) => ({
    ...lesson,
    id: `copy-${n}`,
    situation: `take the turn ${n}`,
  }));
  let refused = 0;
  for (let round = 0; round < 20; round += 1) {
    const lessons = copies.map((copy) => ({ ...copy, holon: `stranger-${round}` }));
    const { results } = await at.ask('_hca/lessons/import', { lessons });
    refused += results.filter(({ status, reason }) => status === 'refused' && reason.includes('near-duplicate')).length;
  }
  expect(refused).toBe(9_999);
  const after = await at.ask('_hca/lessons/health', {});
  expect(after.lessons).toBe(before.lessons + 1);
  expect(after.quarantined).toBe(before.quarantined + 1);
}, 60_000);

it('health adds up', async () => {
  const health = await at.ask('_hca/lessons/health', {});
  expect(health.groups + health.grouped).toBe(health.lessons);
  expect(health.junk_rate).toBeGreaterThanOrEqual(0);
  expect(health.junk_rate).toBeLessThanOrEqual(1);
});
