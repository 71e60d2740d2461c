// Level 3, knowledge: who finds which lessons, in what order, what plans make of them, and whether the next task of a family is cheaper.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { ParamsIn } from '#shared/contracts/acp.ts';
import type { TreeNode } from '#shared/contracts/acp-task.ts';
import { nodesOf, once, type Ran, taskOf } from './house.ts';
import { lessonsOf, plansOf } from './trail.ts';
import { performs, scenario, verifies } from './verifies.ts';

/** What a linter's safe fixes leave as it is, so that the first and weakest attempt fails its review. */
const CODE = 'export const isZero = (a) => a == 0;\n';

const INSTALLED = fileURLToPath(new URL('../../node_modules', import.meta.url));

scenario('Level 3: knowledge', (house) => {
  const taught = once(async () => {
    await house().add({ id: 'scripted', families: ['certify-accept', 'certify-fail', 'certify-edit'] });
    const goals = ['certify: edit line 2 as alpha', 'certify: accept', 'certify: fail review 0 times'] as const;
    const [edit, ...others] = [await house().run(goals[0]), await house().run(goals[1]), await house().run(goals[2])];
    return { edit, others };
  });
  const next = once(() => taught().then(() => house().run('certify: edit line 4 as gamma')));
  const asked = async (holon: string) => plansOf((await next()).entries, holon).flatMap(lessonsOf);
  const search = async (params: ParamsIn<'_hca/lessons/search'>) =>
    (await house().door().call('_hca/lessons/search', params)).lessons;

  verifies('L3-KBQ-01', 'the plan of every level has its query, and what came back', async () => {
    const { entries } = await next();
    const pairs = ['root', 'engineering', 'scripted'].map((holon) => plansOf(entries, holon)[0]?.data.messages);
    for (const pair of pairs) {
      expect(pair).toMatchObject([
        { method: 'hca/knowledge/query', params: { text: 'certify: edit line 4 as gamma' } },
        { method: 'hca/knowledge/query.result', result: { lessons: expect.any(Array) } },
      ]);
    }
    return { pairs };
  });

  verifies('L3-KBQ-02', 'a query for a domain gives lessons of that domain only', async () => {
    await next();
    const [made, led] = [
      await search({ text: 'certify', domain: 'engineering' }),
      await search({ text: '', domain: 'general' }),
    ];
    for (const found of [made, led]) expect(found.length).toBeGreaterThan(0);
    for (const { lesson } of made) expect(lesson.domain).toBe('engineering');
    for (const { lesson } of led) expect(lesson.domain).toBe('general');
    expect(await search({ text: 'certify', domain: 'nobody-has-this' })).toEqual([]);
    return { engineering: made.map(({ lesson }) => lesson.id), general: led.map(({ lesson }) => lesson.id) };
  });

  verifies('L3-KBQ-03', 'a query for a tag gives lessons with that tag only', async () => {
    await next();
    const lessons = await search({ text: 'certify', tags: ['fail-then-pass'] });
    expect(lessons.length).toBeGreaterThan(0);
    for (const { lesson } of lessons) expect(lesson.tags).toContain('fail-then-pass');
    const both = { text: 'certify', tags: ['fail-then-pass', 'certify-edit'] };
    expect((await search(both)).length).toBeGreaterThan(lessons.length);
    expect(await search({ ...both, match: 'all' })).toEqual([]);
    return { lessons: lessons.map(({ lesson }) => [lesson.id, lesson.tags]) };
  });

  verifies('L3-KBQ-04', 'scores fall, and a lesson of a similar task comes before all others', async () => {
    const { edit, others } = await taught();
    const found = await asked('root');
    const scores = found.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    const place = (ran: Ran) => found.findIndex(({ id }) => id.startsWith(`lesson-${ran.task}`));
    expect(place(edit)).toBe(0);
    for (const other of others) expect(place(other)).not.toBe(0);
    return { found };
  });

  verifies('L3-KBS-02', 'the root, the domain and another leaf all find what another holon learned', async () => {
    const { edit } = await taught();
    const makers = new Map([edit, await next()].flatMap(({ view }) => nodesOf(view.tree)).map(makerOf));
    await house().add({ id: 'scripted', families: ['certify-accept'] });
    await house().add({ id: 'colleague', families: ['certify-edit'] });
    const { entries } = await house().run('certify: edit line 5 as delta');
    const found_by = ['root', 'engineering', 'colleague'].map((holon) => {
      const found = plansOf(entries, holon).flatMap(lessonsOf);
      return { holon, of: found.flatMap(({ id }) => makers.get(id) ?? []).filter((maker) => maker !== holon) };
    });
    for (const { holon, of } of found_by) expect(of.length, holon).toBeGreaterThan(0);
    return { found_by };
  });

  verifies('L3-KBS-03', 'the versions of a lesson are listed', async () => {
    const { edit } = await taught();
    const lesson = `lesson-${edit.task}`;
    await house().door().call('_hca/lessons/confirm', { lesson, why: 'seen it' });
    const { versions } = await house().door().call('_hca/lessons/history', { lesson });
    expect(versions.map(({ version }) => version)).toEqual(versions.map((_, at) => at + 1));
    expect(versions.length).toBeGreaterThan(1);
    return { versions: versions.map(({ version, trust, change }) => [version, trust, change.why]) };
  });

  verifies('L3-CTL-01', 'a lesson of task A is in the answer to task B', async () => {
    const { edit } = await taught();
    const found = (await asked('scripted')).filter(({ id }) => id.startsWith(`lesson-${edit.task}`));
    expect(found.length).toBeGreaterThan(0);
    return { from: edit.task, to: (await next()).task, found };
  });

  verifies('L3-CTL-02', 'the plan of task B names a lesson of task A', async () => {
    const { edit } = await taught();
    const [plan] = plansOf((await next()).entries, 'scripted');
    expect(JSON.stringify(plan?.data.lessons)).toContain(`lesson-${edit.task}`);
    return { plan: plan?.data.lessons };
  });

  const measured = once(async () => {
    const ends: { attempts: number; calls: number; tokens: number }[] = [];
    for (const name of ['first', 'second']) {
      const { view } = await house().run('make lint pass', { workspace: linted(house().folder()) });
      const leaf = await house()
        .door()
        .call('_hca/task/get', { task: taskOf(view.tree, 'developer').record });
      if (view.outcome !== 'accepted') throw new Error(`${name}: ${view.outcome}: ${view.escalation?.detail}`);
      ends.push({ attempts: leaf.attempts.length, calls: view.spent.calls, tokens: view.spent.tokens });
    }
    return { first: ends[0]!, second: ends[1]! };
  });

  verifies('L3-CTL-03', 'the second task of a family needs fewer attempts', async () => {
    const { first, second } = await measured();
    expect(second.attempts).toBeLessThan(first.attempts);
    return { first, second };
  });

  performs('learning-with-measured-improvement', 1, async () => {
    const { first, second } = await measured();
    expect(second.attempts).toBeLessThan(first.attempts);
    expect(second.calls).toBeLessThan(first.calls);
    expect(second.tokens).toBeLessThanOrEqual(first.tokens);
    return { first, second };
  });
});

const makerOf = ({ record, holon }: TreeNode): [string, string] => [`lesson-${record}`, holon];

/** A small project with a linter, and nothing installed but that. */
const linted = (folder: string): string => {
  const put = (file: string, text: string) => writeFileSync(path.join(folder, file), text);
  const devDependencies = { '@biomejs/biome': '2.6.8' };
  put(
    'package.json',
    JSON.stringify({ name: 'zero', type: 'module', scripts: { lint: 'biome lint zero.js' }, devDependencies }),
  );
  put('biome.json', '{}\n');
  put('zero.js', CODE);
  mkdirSync(path.join(folder, 'node_modules'));
  for (const entry of ['@biomejs', '.bin']) {
    symlinkSync(path.join(INSTALLED, entry), path.join(folder, 'node_modules', entry));
  }
  return folder;
};
