// Storing lessons: each under its head, linked with what contradicts it, and changed only on the version that was read (L3 upkeep).

import { HcaFault } from '#shared/contracts/errors.ts';
import type { Lesson } from '#shared/contracts/lesson.ts';
import type { Gated } from '#shared/domain/knowledge/gate.ts';
import { nearestOf, sketchOf } from '#shared/domain/knowledge/sketch.ts';
import { contradicted, supported } from '#shared/domain/knowledge/upkeep.ts';
import type { Lessons } from '#shared/ports/world.ts';
import { opposites } from './meeting.ts';

/** Rivals for one lesson that are outwaited here; what is still unlucky then is delivered again. */
const ROUNDS = 32;

interface Ports {
  lessons: Lessons;
}

type Taken = Exclude<Gated, { status: 'refused' }>;

/** How a contribution was kept, for the acknowledgement. */
export interface Kept {
  id: string;
  status: 'stored' | 'grouped' | 'quarantined' | 'refused';
  reason: string;
}

/** Stores a lesson that passed the gate. The head is decided first, so that a crash in between finds the same one. */
export const keepLesson = async (tenant: string, gated: Taken, ports: Ports): Promise<Kept> => {
  const head = await headOf(tenant, gated.lesson, ports);
  if (head !== gated.lesson.id && gated.lesson.provenance.origin === 'import')
    return { id: gated.lesson.id, status: 'refused', reason: `it is a near-duplicate of ${head}` };
  const lesson: Lesson = { ...gated.lesson, group: head === gated.lesson.id ? null : head };
  const put = await ports.lessons.put(tenant, lesson);
  const fresh = put === 'stored' ? '' : ' (already there)';
  if (gated.status === 'quarantined') return { id: lesson.id, status: 'quarantined', reason: gated.reason + fresh };
  if (lesson.group === null) {
    await link(tenant, lesson, ports);
    return { id: lesson.id, status: 'stored', reason: `${gated.reason}${fresh}` };
  }
  const event = { cause: `supported:${lesson.id}`, at: lesson.created_at };
  await changeLesson({ tenant, id: head }, (now) => supported(now, lesson, event), ports);
  return { id: lesson.id, status: 'grouped', reason: `it teaches the same as ${head}${fresh}` };
};

/** The next version of a lesson, decided again on the newest one whenever somebody else was quicker. @throws HcaFault HcaConflict */
export const changeLesson = async (
  { tenant, id }: { tenant: string; id: string },
  decide: (now: Lesson) => Lesson | null,
  ports: Ports,
): Promise<'stored' | 'there' | 'same' | 'unknown'> => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const now = await ports.lessons.get(tenant, id);
    if (now === undefined) return 'unknown';
    const next = decide(now);
    if (next === null) return 'same';
    const put = await ports.lessons.put(tenant, next);
    if (put !== 'conflict') return put;
  }
  throw new HcaFault('HcaConflict', { message: `lesson ${id} changes faster than it can be read` });
};

/** The head of the group that a lesson belongs to: itself when nothing near it was there. Sixteen at once still make one group. */
const headOf = async (tenant: string, lesson: Lesson, ports: Ports): Promise<string> => {
  const sketch = sketchOf(lesson);
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = await ports.lessons.found(tenant, sketch.keys);
    const nearest = nearestOf(sketch, found);
    if (nearest !== null) return nearest;
    if (await ports.lessons.claim(tenant, sketch.keys, { value: sketch.value, found })) return lesson.id;
  }
  throw new HcaFault('HcaConflict', { message: `the group of ${lesson.id} changes faster than it can be read` });
};

/** Lessons that say the opposite of the same situation are linked, both ways; the better proven one leads when they are used. */
const link = async (tenant: string, lesson: Lesson, ports: Ports): Promise<void> => {
  for (const other of await opposites(tenant, lesson, ports)) {
    await contradict(tenant, { id: other.id, by: lesson.id, at: lesson.created_at }, ports);
    await contradict(tenant, { id: lesson.id, by: other.id, at: lesson.created_at }, ports);
  }
};

interface Opposed {
  id: string;
  by: string;
  at: number;
}

const contradict = async (tenant: string, { id, by, at }: Opposed, ports: Ports): Promise<void> => {
  const event = { cause: `contradicted:${by}`, at };
  await changeLesson({ tenant, id }, (now) => contradicted(now, by, event), ports);
};
