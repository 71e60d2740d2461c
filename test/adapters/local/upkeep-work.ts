// Everything that upkeep does to lessons, one after the other: a group joined and confirmed, opposites linked, credit, blame until one retires, decay.
import { changeLesson, keepLesson } from '#functions/loop/lessons.ts';
import { retireForgotten } from '#functions/loop/upkeep.ts';
import type { Lesson } from '#shared/contracts/lesson.ts';
import { credited } from '#shared/domain/knowledge/upkeep.ts';
import type { Lessons } from '#shared/ports/world.ts';
import { lesson, rootId, TENANT } from '../suites/samples.ts';

const DAY = 86_400_000;
/** Half a year after the lessons that are forgotten by then. */
export const NOW = 400 * DAY;

const one = (n: number, parts: Partial<Lesson>): Lesson =>
  lesson(`lesson-${rootId(n)}`, {
    task_id: rootId(n),
    created_at: NOW,
    signature: { family: 'lint', tools: ['biome'], failures: ['lint:a', 'lint:b'], checks: ['lint'] },
    change: { cause: `task:${n}`, why: '', at: NOW },
    ...parts,
  });

const praise = { for: ['pull'], against: [] };
const forgotten = (n: number): Lesson =>
  one(n, {
    created_at: 1,
    change: { cause: `task:${n}`, why: '', at: 1 },
    signature: { family: 'lint', tools: ['biome'], failures: [`lint:old-${n}`], checks: ['lint'] },
  });

/** Idempotent like the steps that do it; `tell` hears each change as soon as it is acknowledged. */
export const upkeep = async (lessons: Lessons, tell: (what: string) => void): Promise<void> => {
  const ports = { lessons, clock: { now: () => NOW, ulid: () => '' } };
  const keep = async (taken: Lesson): Promise<void> => {
    await keepLesson(TENANT, { status: 'taken', lesson: taken, reason: '' }, ports);
    tell(`${taken.id} ${taken.change.cause}`);
  };
  const credit = async (n: number, by: number, outcome: 'helped' | 'hurt'): Promise<void> => {
    const id = `lesson-${rootId(n)}`;
    await changeLesson(
      { tenant: TENANT, id },
      (now) => credited(now, { outcome }, { cause: `used:${by}`, at: NOW }),
      ports,
    );
    tell(`${id} used:${by}`);
  };
  for (const n of [1, 2]) await keep(one(n, { alternatives: praise }));
  await keep(one(3, { type: 'antipattern', alternatives: { for: [], against: ['pull'] } }));
  for (const n of [4, 5]) await keep(forgotten(n));
  await credit(1, 11, 'helped');
  for (const by of [12, 13]) await credit(3, by, 'hurt');
  await retireForgotten(TENANT, ports);
};
