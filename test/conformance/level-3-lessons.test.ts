// Level 3, lessons: what finished tasks leave behind, how it is contributed, and that it is still there in the next host.
import { expect } from 'vitest';
import { once, taskOf } from './house.ts';
import { lessonsOf, phasesOf, plansOf, saidBy, toldIn } from './trail.ts';
import { scenario, verifies } from './verifies.ts';

const GOALS = [
  'certify: accept',
  'certify: always fail review',
  'certify: fail review 1 times',
  'certify: edit line 2 as alpha',
  'certify: edit line 3 as beta',
] as const;
const FAMILIES = ['certify-accept', 'certify-never', 'certify-fail', 'certify-edit'];

scenario('Level 3: lessons', (house) => {
  const five = once(async () => {
    await house().add({ id: 'scripted', families: FAMILIES });
    return Promise.all(GOALS.map((goal) => house().run(goal)));
  });
  const compounded = once(async () =>
    (await five()).flatMap(({ entries }) => saidBy(entries, 'compound').filter(isLesson)),
  );
  const stored = once(async () => {
    const ran = await five();
    const whole = ran.map(({ task }) => house().door().call('_hca/task/journal', { task, limit: 1000 }));
    return (await Promise.all(whole)).flatMap(({ entries }) => saidBy(entries, 'learn'));
  });

  verifies('L3-CMP-01', 'COMPOUND is the last phase before every end, good or bad', async () => {
    const ends = (await five()).map(({ view, entries }) => phasesOf(entries, view.task).slice(-3));
    expect(new Set(ends.map((end) => end.join(' ')))).toEqual(
      new Set(['accepting compounding completed', 'escalating compounding escalated']),
    );
    return { ends };
  });

  verifies('L3-CMP-02', 'COMPOUND makes a lesson that says what worked', async () => {
    const [lesson] = (await compounded()).filter(({ holon }) => holon === 'scripted');
    expect(lesson?.text).toMatch(/^lesson \((pattern|antipattern)\): .*(worked|did not work)/);
    return { lesson: lesson?.data.lesson, text: lesson?.text };
  });

  verifies('L3-CMP-03', 'the failed task teaches too', async () => {
    const failed = (await five()).find(({ view }) => view.outcome === 'escalated');
    const { record } = taskOf(failed!.view.tree, 'scripted');
    const lesson = (await compounded()).find((entry) => entry.record === record);
    expect(lesson?.text).toContain('antipattern');
    expect(lesson?.text).toContain('did not work');
    return { lesson: lesson?.data.lesson, text: lesson?.text };
  });

  verifies('L3-LES-01', 'no two lessons share an id', async () => {
    const ids = (await compounded()).map(({ data }) => String(data.lesson));
    expect(ids.length).toBeGreaterThanOrEqual(5);
    expect(new Set(ids).size).toBe(ids.length);
    return { ids };
  });

  verifies('L3-LES-02', 'accepted tasks leave patterns, the others antipatterns', async () => {
    const types = (await compounded()).map(({ record, text }) => ({
      record,
      type: /^lesson \((\w+)\)/.exec(text)?.[1],
    }));
    for (const { view } of await five()) {
      const { type } = types.find(({ record }) => record === view.task)!;
      expect(type).toBe(view.outcome === 'accepted' ? 'pattern' : 'antipattern');
    }
    return { types };
  });

  verifies('L3-LES-03', 'the task a lesson comes from can be asked for', async () => {
    const lessons = await compounded();
    for (const { data, record } of lessons) {
      const task = String(data.lesson).replace(/^lesson-/, '');
      expect(task).toBe(record);
      expect((await house().door().call('_hca/task/get', { task })).outcome).not.toBe('open');
    }
    return { sources: lessons.map(({ record }) => record) };
  });

  verifies('L3-LES-04', 'each has tags, its family among them', async () => {
    const tags = (await compounded()).map(({ data }) => (Array.isArray(data.tags) ? data.tags.map(String) : []));
    for (const list of tags) expect(FAMILIES.some((family) => list.includes(family))).toBe(true);
    return { tags };
  });

  verifies('L3-KBC-01', 'five tasks, five lessons, one for each holon that had a part in them', async () => {
    const ran = await five();
    const own = (await compounded()).filter(({ record }) => ran.some(({ task }) => task === record));
    expect(own).toHaveLength(5);
    const tasks = ran.length * ['root', 'engineering', 'scripted'].length;
    expect(await compounded()).toHaveLength(tasks);
    return { tasks: ran.length, lessons: own.map(({ data }) => data.lesson), with_their_children: tasks };
  });

  verifies('L3-KBC-02', 'each is told as hca/knowledge/contribute', async () => {
    const told = (await compounded()).map((entry) => toldIn([entry])[0]);
    expect(new Set(told.map((one) => `${one?.method} ${one?.to}`))).toEqual(
      new Set(['hca/knowledge/contribute knowledge']),
    );
    return { told };
  });

  verifies('L3-KBC-03', 'each is acknowledged, and the contributor hears it', async () => {
    const lessons = (await compounded()).map(({ data }) => data.lesson);
    const contributed = (await compounded()).flatMap(({ told }) => told.map(({ id }) => id));
    for (const id of contributed) {
      const { task } = (await five()).find(({ task }) => id.startsWith(task))!;
      await house().later(task, ({ caused_by }) => caused_by === `${id}.result`);
    }
    const acknowledged = (await stored()).flatMap(({ data }) => data.lessons as { id: string; status: string }[]);
    expect(acknowledged.map(({ id }) => id)).toEqual(expect.arrayContaining(lessons));
    return { acknowledged };
  });

  verifies('L3-KBS-01', 'the next host still finds the lesson', async () => {
    const [first] = await five();
    await house().restart();
    const { entries } = await house().run(GOALS[0]);
    const found = plansOf(entries, 'scripted').flatMap(lessonsOf);
    expect(found.filter(({ id }) => id.startsWith(`lesson-${first?.task}`)).length).toBeGreaterThan(0);
    return { found };
  });
});

const isLesson = ({ data }: { data: Record<string, unknown> }): boolean => data.tags !== undefined;
