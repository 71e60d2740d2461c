// What one task taught changes the next one's plan, and only where it should (L3-CTL-01 to L3-CTL-03; negative controls).
import { afterEach, expect, it } from 'vitest';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { decided, rolledBack } from '#shared/domain/knowledge/upkeep.ts';
import { type LearningHouse, learningHouse } from '#test/support/learning-house.ts';
import { TENANT } from '#test/support/submit.ts';

let house: LearningHouse;
afterEach(() => house.close());

const ways = ({ attempts }: TaskRecord): string[] => attempts.map(({ alternative }) => alternative);
const workLesson = ({ lesson }: TaskRecord) => house.ports.lessons.get(TENANT, lesson ?? '');
const retire = async (id: string): Promise<void> => {
  const change = { cause: `person:${id}`, why: 'a person said so', at: 1 };
  const newest = await house.ports.lessons.get(TENANT, id);
  await house.ports.lessons.put(TENANT, decided(newest!, 'retired', change)!);
};

it('the second task, in other words, goes the way that worked, cites the lesson and says what it changed', async () => {
  house = await learningHouse({ turn: 'twist' });
  const first = await house.run('take the turn');
  const second = await house.run('please go turn now');
  expect(ways(first)).toEqual(['push', 'pull', 'twist']);
  expect(ways(second)).toEqual(['twist']);
  expect(second.plan?.lessons).toContain(first.lesson);
  expect(second.plan?.learned.map(({ lesson, effect, alternative }) => [lesson, effect, alternative])).toEqual([
    [first.lesson, 'demotes', 'push'],
    [first.lesson, 'demotes', 'pull'],
    [first.lesson, 'promotes', 'twist'],
  ]);
  const judged = ({ verdict }: TaskRecord) => verdict?.criteria.map(({ criterion, result }) => [criterion, result]);
  expect(judged(second)).toEqual(judged(first));
});

it('a lesson that a plan found is marked once, whatever it changed; one that no plan found is not', async () => {
  house = await learningHouse({ turn: 'push' });
  const first = await house.run('take the turn');
  expect(await workLesson(first)).toMatchObject({ retrieved: false });
  for (let n = 0; n < 3; n += 1) expect((await house.run('take the turn')).plan?.lessons).toContain(first.lesson);
  const versions = await house.ports.lessons.versions(TENANT, first.lesson ?? '');
  expect(versions.filter(({ change }) => change.why === 'a plan found it')).toHaveLength(1);
  expect(versions.at(-1)).toMatchObject({ retrieved: true, outcomes: { used: 0, helped: 0, hurt: 0 } });
  const other = await house.run('take the left', 'lefty');
  expect(await workLesson(other)).toMatchObject({ retrieved: false });
});

it('without the lesson the second task begins where the first began', async () => {
  house = await learningHouse({ turn: 'pull' });
  const first = await house.run('take the turn');
  await retire(first.lesson ?? '');
  const second = await house.run('take the turn');
  expect(ways(second)).toEqual(['push', 'pull']);
  expect(second.plan?.lessons).not.toContain(first.lesson);
});

it('a lesson of another family changes nothing', async () => {
  house = await learningHouse({ turn: 'twist', left: 'pull' });
  await house.run('take the turn');
  const other = await house.run('take the left', 'lefty');
  expect(ways(other)).toEqual(['push', 'pull']);
  expect(other.plan).toMatchObject({ lessons: [], learned: [] });
});

it('an escalated task teaches what not to begin with; what nothing can do stays escalated, after no more attempts', async () => {
  house = await learningHouse({ turn: null });
  const first = await house.run('take the turn');
  expect(first.state).toBe('escalated');
  expect(await workLesson(first)).toMatchObject({ type: 'antipattern', alternatives: { for: [] } });
  const second = await house.run('take the turn');
  expect(second.state).toBe('escalated');
  expect(second.attempts.length).toBeLessThanOrEqual(first.attempts.length);
});

it('what helped is confirmed, what hurt is blamed and leads no more', async () => {
  const right: Parameters<typeof learningHouse>[0] = { turn: 'twist' };
  house = await learningHouse(right);
  const first = await house.run('take the turn');
  await house.run('take the turn');
  expect(await workLesson(first)).toMatchObject({ trust: 'confirmed', outcomes: { used: 1, helped: 1, hurt: 0 } });
  right.turn = 'push';
  expect(ways(await house.run('take the turn'))).toEqual(['twist', 'push']);
  expect(await workLesson(first)).toMatchObject({ trust: 'provisional', outcomes: { used: 2, helped: 1, hurt: 1 } });
  for (let n = 0; n < 3; n += 1) expect(ways(await house.run('take the turn'))).toEqual(['push']);
});

it('lessons that say the opposite of one situation are linked both ways', async () => {
  const right: Parameters<typeof learningHouse>[0] = { turn: 'pull' };
  house = await learningHouse(right);
  const first = await house.run('take the turn');
  right.turn = 'push';
  const second = await house.run('take the turn');
  expect((await workLesson(first))?.contradicts).toContain(second.lesson);
  expect((await workLesson(second))?.contradicts).toContain(first.lesson);
});

it('every finished task keeps its own record; near-duplicates share a head, which an independent task confirms', async () => {
  house = await learningHouse({ turn: 'push' });
  const tasks: TaskRecord[] = [];
  for (let n = 0; n < 5; n += 1) tasks.push(await house.run('take the turn'));
  const own = await Promise.all(tasks.map(workLesson));
  expect(new Set(own.map((lesson) => lesson?.id)).size).toBe(5);
  expect(own.map((lesson) => lesson?.group)).toEqual([null, ...Array(4).fill(own[0]?.id)]);
  expect(own[0]?.trust).toBe('confirmed');
  const found = await house.ports.lessons.query(TENANT, { text: 'turn', limit: 50 });
  expect(found.map(({ lesson }) => lesson.id)).toEqual([own[0]?.id]);
});

it('the evaluator contributes what the first attempt failed its review for', async () => {
  house = await learningHouse({ turn: 'twist' });
  await house.run('take the turn');
  const reviews = (await house.lessons()).filter(({ provenance }) => provenance.origin === 'review');
  expect(reviews.map(({ type, holon, did_not_work }) => [type, holon, did_not_work.split(':')[0]])).toEqual([
    ['antipattern', 'judge', 'done'],
  ]);
  for (const lesson of reviews) expect(lesson.evidence.length).toBeGreaterThan(0);
});

it('versions are listed, and an earlier one can be taken back', async () => {
  house = await learningHouse({ turn: 'pull' });
  const first = await house.run('take the turn');
  await retire(first.lesson ?? '');
  const versions = await house.ports.lessons.versions(TENANT, first.lesson ?? '');
  expect(versions.map(({ version, trust }) => [version, trust])).toEqual([
    [1, 'provisional'],
    [2, 'retired'],
  ]);
  const back = rolledBack(versions[1]!, versions[0]!, { cause: 'person:2', why: 'back to 1', at: 2 });
  expect(await house.ports.lessons.put(TENANT, back)).toBe('stored');
  expect(ways(await house.run('take the turn'))).toEqual(['pull']);
});
