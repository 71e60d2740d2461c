// Lessons through the door, changed by a person: confirm, retire, roll back, import. Every change is a new version that says who and why.
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Lesson, LessonChange } from '#shared/contracts/lesson.ts';
import { gateImport } from '#shared/domain/knowledge/gate.ts';
import { decided, rolledBack } from '#shared/domain/knowledge/upkeep.ts';
import { changeLesson, keepLesson } from '../loop/lessons.ts';
import { findLesson, shelfOf } from './lessons.ts';
import type { Call, Handler } from './ports.ts';

export const confirmLesson: Handler<'_hca/lessons/confirm'> = (call) =>
  change(call, (now, said) => decided(now, 'confirmed', said));

export const retireLesson: Handler<'_hca/lessons/retire'> = (call) =>
  change(call, (now, said) => decided(now, 'retired', said));

export const rollbackLesson: Handler<'_hca/lessons/rollback'> = async (call) => {
  const { lesson, to } = call.params;
  const earlier = await findLesson(shelfOf(call.principal, call.door), lesson, to);
  return change(call, (now, said) => (now.version === to ? null : rolledBack(now, earlier, said)));
};

export const importLessons: Handler<'_hca/lessons/import'> = async ({ params, principal, door }) => {
  const results: { id: string; status: 'quarantined' | 'refused'; reason: string }[] = [];
  for (const raw of params.lessons) {
    const gated = gateImport(raw);
    const kept = gated.status === 'refused' ? gated : await keepLesson(principal.tenant, gated, door.ports);
    const status = kept.status === 'refused' ? 'refused' : 'quarantined';
    results.push({ id: kept.id, status, reason: kept.reason });
  }
  return { results };
};

type Decision = '_hca/lessons/confirm' | '_hca/lessons/retire' | '_hca/lessons/rollback';

const change = async (
  { params, principal, door }: Pick<Call<Decision>, 'params' | 'principal' | 'door'>,
  decide: (now: Lesson, said: LessonChange) => Lesson | null,
): Promise<{ lesson: Lesson }> => {
  const { ports } = door;
  const shelf = shelfOf(principal, door);
  const { id } = await findLesson(shelf, params.lesson);
  const said = {
    cause: `person:${ports.clock.ulid()}`,
    why: `${principal.subject}: ${params.why}`,
    at: ports.clock.now(),
  };
  const put = await changeLesson({ tenant: principal.tenant, id }, (now) => decide(now, said), ports);
  if (put === 'unknown') throw new HcaFault('HcaNotFound', { message: `there is no lesson "${id}"`, field: 'lesson' });
  return { lesson: await findLesson(shelf, id) };
};
