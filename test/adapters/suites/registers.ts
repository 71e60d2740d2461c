// What the ports `holons` and `lessons` mean, for every adapter (L1-CAP, L3-LES, L3-KBQ).
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HolarchyFile, HolonCard } from '#shared/contracts/holon.ts';
import { LessonQuery } from '#shared/contracts/lesson.ts';
import type { Opened } from './opened.ts';
import { lesson, rootId, TENANT } from './samples.ts';

type House = Opened<'holons' | 'lessons'>;

const card = (id: string, parts: object = {}) => HolonCard.parse({ id, role: 'leaf', parent: 'root', ...parts });
const file = (...ids: string[]) =>
  HolarchyFile.parse({ version: 1, policy: { tools: { allow: ids } }, holons: ids.map((id) => card(id)) });
const ask = (text: string, parts: object = {}) => LessonQuery.parse({ text, ...parts });

/** Runs the suite; `open` gives a fresh, empty store. */
export const registersSuite = (name: string, open: () => Promise<House>): void => {
  describe(`holons, lessons: ${name}`, () => {
    let house: House;
    const found = async (query: LessonQuery) => (await house.lessons.query(TENANT, query)).map((hit) => hit.lesson.id);
    beforeEach(async () => {
      house = await open();
    });
    afterEach(() => house.close());

    test('loading a holarchy replaces cards and policy, of its tenant only', async () => {
      const { holons } = house;
      await expect(holons.policy(TENANT)).rejects.toMatchObject({ code: 'HcaNotFound' });
      await holons.load(TENANT, file('root', 'old'));
      await holons.load('another', file('theirs'));
      await holons.load(TENANT, file('root', 'code'));
      expect((await holons.all(TENANT)).map((each) => each.id)).toEqual(['code', 'root']);
      expect((await holons.policy(TENANT)).tools.allow).toEqual(['root', 'code']);
      expect(await holons.get(TENANT, 'old')).toBeUndefined();
      expect(await holons.get(TENANT, 'theirs')).toBeUndefined();
    });

    test('a card is added or replaced', async () => {
      const { holons } = house;
      await holons.put(TENANT, card('code'));
      await holons.put(TENANT, card('code', { capacity: 3, state: 'draining' }));
      expect(await holons.all(TENANT)).toEqual([card('code', { capacity: 3, state: 'draining' })]);
    });

    test('a lesson version is stored once; the newest answers, old ones are not found', async () => {
      const { lessons } = house;
      expect(await lessons.put(TENANT, lesson('l1'))).toBe('stored');
      expect(await lessons.put(TENANT, lesson('l1', { advice: 'overwritten' }))).toBe('there');
      expect(await lessons.put(TENANT, lesson('l1', { version: 2, advice: 'better' }))).toBe('stored');
      expect(await lessons.get(TENANT, 'l1')).toMatchObject({ version: 2, advice: 'better' });
      const hits = await lessons.query(TENANT, ask('linter'));
      expect(hits.map((hit) => hit.lesson.version)).toEqual([2]);
      expect(await lessons.get('another', 'l1')).toBeUndefined();
    });

    test('every finished task keeps its own lesson, equal as they may be', async () => {
      for (let n = 0; n < 5; n += 1) await house.lessons.put(TENANT, lesson(`l${n}`, { task_id: rootId(n) }));
      expect(new Set(await found(ask('linter', { limit: 50 }))).size).toBe(5);
    });

    test('a cause makes one version, a version has one author, and all versions are listed', async () => {
      const { lessons } = house;
      const next = (version: number, cause: string) =>
        lesson('l1', { version, advice: cause, change: { cause, why: '', at: version } });
      expect(await lessons.put(TENANT, next(1, 'a'))).toBe('stored');
      expect(await lessons.put(TENANT, next(2, 'b'))).toBe('stored');
      expect(await lessons.put(TENANT, next(3, 'b'))).toBe('there');
      expect(await lessons.put(TENANT, next(2, 'c'))).toBe('conflict');
      expect((await lessons.versions(TENANT, 'l1')).map(({ advice }) => advice)).toEqual(['a', 'b']);
      expect(await lessons.get(TENANT, 'l1', 1)).toMatchObject({ advice: 'a' });
      expect(await lessons.get(TENANT, 'l1', 3)).toBeUndefined();
      expect(await lessons.versions('another', 'l1')).toEqual([]);
    });

    test('lists the newest versions in pages, and what was idle longest', async () => {
      const { lessons } = house;
      for (let n = 0; n < 5; n += 1) await lessons.put(TENANT, lesson(`l${n}`, { created_at: 100 - n }));
      await lessons.put(TENANT, lesson('l4', { version: 2, created_at: 96, trust: 'confirmed' }));
      const first = await lessons.list(TENANT, { limit: 3 });
      const rest = await lessons.list(TENANT, { limit: 3, after: 'l2' });
      expect([...first, ...rest].map(({ id, version }) => `${id}@${version}`)).toEqual([
        'l0@1',
        'l1@1',
        'l2@1',
        'l3@1',
        'l4@2',
      ]);
      expect((await lessons.idle(TENANT, { before: 99, limit: 2 })).map(({ id }) => id)).toEqual(['l3', 'l2']);
      expect(await lessons.idle(TENANT, { before: 97, limit: 2 })).toEqual([]);
    });

    test('keys are claimed all or none, on what was found', async () => {
      const { lessons } = house;
      expect(await lessons.found(TENANT, ['a', 'b'])).toEqual([null, null]);
      expect(await lessons.claim(TENANT, ['a', 'b'], { value: 'one', found: [null, null] })).toBe(true);
      expect(await lessons.claim(TENANT, ['b', 'c'], { value: 'two', found: [null, null] })).toBe(false);
      expect(await lessons.found(TENANT, ['a', 'b', 'c'])).toEqual(['one', 'one', null]);
      expect(await lessons.claim(TENANT, ['b', 'c'], { value: 'two', found: ['one', null] })).toBe(true);
      expect(await lessons.found(TENANT, ['b', 'c'])).toEqual(['one', 'two']);
      expect(await lessons.found('another', ['a'])).toEqual([null]);
    });

    test('filters by family, domain and tags', async () => {
      await house.lessons.put(TENANT, lesson('lint', { tags: ['eslint', 'style'] }));
      await house.lessons.put(TENANT, lesson('test', { family: 'test', tags: ['vitest'] }));
      await house.lessons.put(TENANT, lesson('docs', { family: 'lint', domain: 'docs', tags: [] }));
      expect(await found(ask(''))).toHaveLength(3);
      expect((await found(ask('', { family: 'lint' }))).sort()).toEqual(['docs', 'lint']);
      expect(await found(ask('', { domain: 'docs' }))).toEqual(['docs']);
      expect(await found(ask('', { domain: 'code', family: 'test' }))).toEqual(['test']);
      expect((await found(ask('', { tags: ['vitest', 'style'] }))).sort()).toEqual(['lint', 'test']);
      expect(await found(ask('', { tags: ['unknown'] }))).toEqual([]);
    });

    test('ranks by shared words, then by age, best first, within the limit', async () => {
      const about = (id: string, situation: string, created_at: number) =>
        house.lessons.put(TENANT, lesson(id, { situation, advice: 'none', tags: [], created_at }));
      await about('both', 'Unused imports break the build', 1);
      await about('old', 'unused variables', 2);
      await about('new', 'unused variables', 3);
      await about('none', 'a timeout of the network', 4);
      const hits = await house.lessons.query(TENANT, ask('unused imports', { limit: 3 }));
      expect(hits.map((hit) => hit.lesson.id)).toEqual(['both', 'new', 'old']);
      expect(hits.map((hit) => hit.score)).toEqual(hits.map((hit) => hit.score).sort((a, b) => b - a));
      expect(hits.every((hit) => hit.score > 0)).toBe(true);
    });
  });
};
