// Lessons through the door, looked at: search, list, show, history, diff, health, export (L3-KBS-02, L3-KBS-03, L3-KBQ).
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Lesson } from '#shared/contracts/lesson.ts';
import { compareLessons } from '#shared/domain/knowledge/compare.ts';
import { healthOf } from '#shared/domain/knowledge/health.ts';
import type { LessonsRead } from '#shared/ports/world.ts';
import type { Handler } from './ports.ts';

/** Lessons read at a time where all are looked at. */
const PAGE = 1000;

export const searchLessons: Handler<'_hca/lessons/search'> = async ({ params, principal, door }) => ({
  lessons: await door.ports.lessons.query(principal.tenant, params),
});

export const listLessons: Handler<'_hca/lessons/list'> = async ({ params, principal, door }) => {
  const { limit, after, trust } = params;
  const { lessons, next } = await pageOf(shelfOf(principal, door), { limit, after });
  return { lessons: lessons.filter((lesson) => trust === undefined || lesson.trust === trust), next };
};

export const showLesson: Handler<'_hca/lessons/show'> = async ({ params, principal, door }) => ({
  lesson: await findLesson(shelfOf(principal, door), params.lesson, params.version),
});

export const lessonHistory: Handler<'_hca/lessons/history'> = async ({ params, principal, door }) => {
  const { id } = await findLesson(shelfOf(principal, door), params.lesson);
  return { lesson: id, versions: await door.ports.lessons.versions(principal.tenant, id) };
};

export const diffLesson: Handler<'_hca/lessons/diff'> = async ({ params, principal, door }) => {
  const shelf = shelfOf(principal, door);
  const after = await findLesson(shelf, params.lesson, params.to);
  const before = await findLesson(shelf, params.lesson, params.from ?? Math.max(1, after.version - 1));
  return { lesson: after.id, from: before.version, to: after.version, changes: compareLessons(before, after) };
};

export const lessonHealth: Handler<'_hca/lessons/health'> = async ({ principal, door }) => {
  const all: Lesson[] = [];
  let next: string | null = '';
  while (next !== null) {
    const page: { lessons: Lesson[]; next: string | null } = await pageOf(shelfOf(principal, door), {
      limit: PAGE,
      after: next,
    });
    all.push(...page.lessons);
    next = page.next;
  }
  return healthOf(all);
};

export const exportLessons: Handler<'_hca/lessons/export'> = async ({ params, principal, door }) =>
  pageOf(shelfOf(principal, door), { limit: params.limit, after: params.after });

/** A tenant's lessons. */
export interface LessonStore {
  tenant: string;
  lessons: LessonsRead;
}

export const shelfOf = (principal: { tenant: string }, door: { ports: { lessons: LessonsRead } }): LessonStore => ({
  tenant: principal.tenant,
  lessons: door.ports.lessons,
});

/** By its id, or by the task or review that taught it. @throws HcaFault HcaNotFound */
export const findLesson = async ({ tenant, lessons }: LessonStore, name: string, version?: number): Promise<Lesson> => {
  const found = (await lessons.get(tenant, name, version)) ?? (await lessons.get(tenant, `lesson-${name}`, version));
  if (found !== undefined) return found;
  throw new HcaFault('HcaNotFound', {
    message: version === undefined ? `there is no lesson "${name}"` : `"${name}" has no version ${version}`,
    field: version === undefined ? 'lesson' : 'version',
    remedy: version === undefined ? 'hca lessons list shows them' : 'hca lessons history shows its versions',
  });
};

const pageOf = async (
  { tenant, lessons }: LessonStore,
  { limit, after }: { limit: number; after: string | undefined },
) => {
  const found = await lessons.list(tenant, { limit, ...(after === undefined ? {} : { after }) });
  return { lessons: found, next: found.length < limit ? null : (found.at(-1)?.id ?? null) };
};
