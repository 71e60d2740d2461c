// What a coordinator's lesson says: how the goal was split, who did what after what, who could not and why, what the next iteration did
// otherwise; with what the children were judged by as evidence (L3-CMP-02, L3-CMP-03).
import { describe, expect, it } from 'vitest';
import type { Lesson } from '#shared/contracts/lesson.ts';
import { toEnd } from '#test/support/chaos/acts.ts';
import { bench, failing } from '#test/support/chaos/bench.ts';
import { PAIR_GOAL } from '#test/support/chaos/goals.ts';
import { costly, rivals } from '#test/support/chaos/holarchies.ts';
import type { ChaosHouse, ChaosOptions } from '#test/support/chaos/house.ts';
import { passesSecond } from '#test/support/chaos/house.ts';
import { submit, TENANT, taskOf } from '#test/support/submit.ts';

const { open } = bench();

interface Led {
  house: ChaosHouse;
  lesson: Lesson;
  root: string;
}

/** Runs a goal below `works`; gives its own lesson. */
const led = async (goal: string, options: ChaosOptions & { budget?: { calls: number } } = {}): Promise<Led> => {
  const house = await open(options);
  const root = await submit(house, {
    goal,
    to: 'works',
    ...(options.budget === undefined ? {} : { budget: options.budget }),
  });
  await toEnd(house);
  const { lesson } = await taskOf(house, root);
  const found = await house.ports.lessons.get(TENANT, lesson ?? '');
  if (found === undefined) throw new Error(`no lesson of ${root}`);
  return { house, lesson: found, root };
};

const refusing = (holon: string) =>
  failing(({ name, args }) => name === 'sandbox.open' && JSON.stringify(args).includes(holon)).hook;

describe('the lesson of a coordinator', () => {
  it('names the parts and who did them, and the verdicts of the children as evidence', async () => {
    const { house, lesson, root } = await led(PAIR_GOAL);
    expect(lesson).toMatchObject({ type: 'pattern', trust: 'provisional' });
    expect(lesson.advice).toMatch(/^worked: split in 2: left by lefty, right by righty/);
    expect(lesson.tags).toEqual(expect.arrayContaining(['delegation', 'left', 'right', 'child:left:lefty']));
    const { child_verdicts } = await taskOf(house, root);
    expect(child_verdicts).toHaveLength(2);
    expect(lesson.evidence).toEqual(expect.arrayContaining(child_verdicts.map(({ review }) => `review:${review}`)));
  });

  it('says who failed first and why, and who took over', async () => {
    const { lesson } = await led('take the turn', { hooks: [refusing('_1"')], holarchy: rivals });
    expect(lesson.advice).toMatch(/split in 1: turn by turner-b \(after escalate of turner: fault/);
    expect(lesson.did_not_work).toMatch(/turn: escalate of turner: fault/);
    expect(lesson.trust).toBe('provisional');
  });

  it('says that a counter was granted', async () => {
    const { lesson } = await led('take the turn', { packages: [costly(42)], budget: { calls: 50 } });
    expect(lesson.advice).toMatch(/turn by turner \(after counter for budget of turner/);
    expect(lesson.trust).toBe('provisional');
  });

  it('of a failure says which child could not and why', async () => {
    const { lesson } = await led('take the turn', { found: () => 'never' });
    expect(lesson.type).toBe('antipattern');
    expect(lesson.advice).toMatch(/^did not work: split in 1: turn not done: failed, last by turner.*child_failed/);
    expect(lesson.did_not_work).toMatch(/turn failed in turner: /);
  });

  it('says what the whole failed its review for, though every part passed', async () => {
    const { lesson } = await led(PAIR_GOAL, {
      found: (one) => (one.plan?.leaf === null ? 'not yet' : passesSecond(one)),
    });
    expect(lesson.type).toBe('antipattern');
    expect(lesson.advice).toMatch(/split in 2: left by lefty, right by righty; iteration 1 failed: done: /);
    expect(lesson.did_not_work).toMatch(/delegate: done: /);
  });

  it('is another one when the same goal was given to another child, and the same one when not', async () => {
    const [hook, isOpen] = [refusing('_1"'), { now: false }];
    const house = await open({ holarchy: rivals, hooks: [(call) => (isOpen.now ? hook(call) : call.run())] });
    const groups: (string | null | undefined)[] = [];
    for (const refused of [false, false, true]) {
      isOpen.now = refused;
      const root = await submit(house, { goal: 'take the turn', to: 'works' });
      await toEnd(house);
      const lesson = await house.ports.lessons.get(TENANT, (await taskOf(house, root)).lesson ?? '');
      groups.push(lesson?.group === null ? lesson.id : lesson?.group);
    }
    expect(groups[1]).toBe(groups[0]);
    expect(groups[2]).not.toBe(groups[0]);
  });
});
