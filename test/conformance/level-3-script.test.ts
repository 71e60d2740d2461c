// Level 3: the scripted "Compound Learning System": task A teaches task B, task C fails and teaches too, and nothing is forgotten.
import { expect } from 'vitest';
import { once, taskOf } from './house.ts';
import { firstSaid, lessonsOf, phasesOf, plansOf, saidBy } from './trail.ts';
import { performs, scenario } from './verifies.ts';

const LOGIN = {
  id: 'auth-login',
  text: 'the login says done',
  file: 'certified.txt',
  matches: '^done$',
  clause: 'certify accept',
};
const FEATURE = { criteria: [LOGIN] };

scenario('Level 3: Compound Learning System', (house) => {
  const a = once(async () => {
    await house().add({ id: 'scripted', families: ['certify-accept', 'certify-never'] });
    return house().run('certify: accept', FEATURE);
  });
  const b = once(() => a().then(() => house().run('certify: accept', FEATURE)));
  const c = once(() => b().then(() => house().run('certify: always fail review', FEATURE)));
  const lessonIn = async (ran: typeof a) => {
    const { entries } = await ran();
    return saidBy(entries, 'compound', 'scripted').find(({ data }) => data.tags !== undefined)!;
  };
  const acknowledged = async (ran: typeof a) => {
    const { task } = await ran();
    const { data } = await lessonIn(ran);
    const note = await house().later(
      task,
      (entry) => entry.step === 'learn' && JSON.stringify(entry.data).includes(`"${data.lesson}"`),
    );
    return note.data.lessons;
  };

  performs('compound-learning-system', 1, async () => {
    const { view } = await a();
    const leaf = await house()
      .door()
      .call('_hca/task/get', { task: taskOf(view.tree, 'scripted').record });
    expect(view.outcome).toBe('accepted');
    expect(leaf.criteria.find(({ id }) => id === 'auth-login')).toMatchObject({ result: 'met' });
    return { outcome: view.outcome, criteria: leaf.criteria };
  });

  performs('compound-learning-system', 2, async () => {
    const { view, entries } = await a();
    const phases = phasesOf(entries, taskOf(view.tree, 'scripted').record);
    expect(phases.slice(-3)).toEqual(['accepting', 'compounding', 'completed']);
    expect((await lessonIn(a)).data.lesson).toBeDefined();
    return { phases };
  });

  performs('compound-learning-system', 3, async () => {
    const { data, text, record } = await lessonIn(a);
    expect(text).toMatch(/^lesson \(pattern\): \S/);
    expect(data.lesson).toBe(`lesson-${record}`);
    expect(data.tags).toEqual(expect.arrayContaining(['certify-accept']));
    return { lesson: data.lesson, tags: data.tags, text };
  });

  performs('compound-learning-system', 4, async () => {
    const { told } = await lessonIn(a);
    expect(told.map(({ method }) => method)).toEqual(['hca/knowledge/contribute']);
    return { told, acknowledged: await acknowledged(a) };
  });

  performs('compound-learning-system', 5, async () => {
    const plan = plansOf((await b()).entries, 'scripted')[0]!;
    const [query] = plan.data.messages as { params: { tags: string[] } }[];
    expect(query?.params.tags.join(' ')).toContain('auth');
    return { query };
  });

  performs('compound-learning-system', 6, async () => {
    const found = plansOf((await b()).entries, 'scripted').flatMap(lessonsOf);
    const { task } = await a();
    expect(found.filter(({ id }) => id.startsWith(`lesson-${task}`)).length).toBeGreaterThan(0);
    return { found };
  });

  performs('compound-learning-system', 7, async () => {
    const { task } = await a();
    const plan = firstSaid(plansOf((await b()).entries, 'scripted'), 'plan');
    expect(JSON.stringify(plan.data.lessons)).toContain(`lesson-${task}`);
    return { lessons: plan.data.lessons };
  });

  performs('compound-learning-system', 8, async () => {
    const mine = (await lessonIn(b)).data.lesson;
    expect(mine).not.toBe((await lessonIn(a)).data.lesson);
    return { lesson: mine, acknowledged: await acknowledged(b) };
  });

  performs('compound-learning-system', 9, async () => {
    const { view } = await c();
    expect(view).toMatchObject({ outcome: 'escalated' });
    return { outcome: view.outcome, reason: view.escalation?.detail };
  });

  performs('compound-learning-system', 10, async () => {
    const { text, data } = await lessonIn(c);
    expect(text).toMatch(/^lesson \(antipattern\): \S/);
    return { lesson: data.lesson, text };
  });

  performs('compound-learning-system', 11, async () => {
    await c();
    await house().add({ id: 'colleague', families: ['certify-accept', 'certify-never', 'certify-edit'] });
    await house().add({ id: 'scripted', families: ['certify-accept'] });
    const { entries } = await house().run('certify: always fail review', { retries: 1 });
    const found_by = ['root', 'engineering', 'colleague'].map((holon) => ({
      holon,
      found: plansOf(entries, holon)
        .flatMap(lessonsOf)
        .map(({ id }) => id),
    }));
    const { task } = await c();
    for (const { found } of found_by) expect(found.some((id) => id.startsWith(`lesson-${task}`))).toBe(true);
    return { found_by };
  });

  performs('compound-learning-system', 12, async () => {
    const lessons = [await lessonIn(a), await lessonIn(b), await lessonIn(c)].map(({ data }) => String(data.lesson));
    await house().restart();
    for (const id of lessons) {
      const { versions } = await house().door().call('_hca/lessons/history', { lesson: id });
      expect(versions.length).toBeGreaterThan(0);
    }
    return { lessons };
  });
});
