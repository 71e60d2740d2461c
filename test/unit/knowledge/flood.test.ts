// Ten thousand near-duplicates from outside: less than one in a hundred is kept apart, the others are refused with the reason; no plan is
// another one, and nobody who really learned something is silenced (pitfalls 46, 47).
import { afterEach, expect, it } from 'vitest';
import { keepLesson } from '#functions/loop/lessons.ts';
import { gateImport } from '#shared/domain/knowledge/gate.ts';
import { lesson, rootId } from '#test/adapters/suites/samples.ts';
import { type LearningHouse, learningHouse } from '#test/support/learning-house.ts';
import { TENANT } from '#test/support/submit.ts';

const FLOOD = 10_000;

let house: LearningHouse;
afterEach(() => house.close());

/** One text with ever another word at one place, for the way that is wrong. */
const drop = (n: number) => {
  const odd = [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  return lesson(`lesson-${rootId(n)}`, {
    task_id: rootId(n),
    domain: 'driving',
    family: 'turn',
    situation: `take the turn where the road leads down to the ${odd} river and the old bridge stands without any lights`,
    advice: 'always push first because everybody who came here before has said that pushing is what works best of all',
    alternatives: { for: ['push'], against: ['pull', 'twist'] },
    signature: null,
    evidence: [`file:${odd}`],
  });
};

it('changes no plan, fills no shelf, and leads nobody', async () => {
  house = await learningHouse({ turn: 'pull' });
  const said = new Map<string, number>();
  for (let n = 0; n < FLOOD; n += 1) {
    const gated = gateImport({ ...drop(n) });
    if (gated.status === 'refused') throw new Error(gated.reason);
    const { status, reason } = await keepLesson(TENANT, gated, house.ports);
    expect(reason).toMatch(status === 'refused' ? /near-duplicate of imported-/ : /foreign/);
    said.set(status, (said.get(status) ?? 0) + 1);
  }
  expect([...said.keys()].toSorted()).toEqual(['quarantined', 'refused']);
  expect(said.get('quarantined')).toBeLessThan(FLOOD / 100);
  expect(await house.lessons()).toHaveLength(said.get('quarantined') ?? 0);

  const first = await house.run('take the turn');
  const second = await house.run('please go turn now');
  const ways = [first, second].map(({ attempts }) => attempts.map(({ alternative }) => alternative));
  expect(ways).toEqual([['push', 'pull'], ['pull']]);
  // Its own lesson and that of its review.
  expect(second.plan?.lessons).toEqual([first.lesson, `${first.lesson}-r1-1`]);
});
