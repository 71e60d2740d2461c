// Upkeep with every contribution: what was forgotten for long is retired, a few at a time, so that no schedule is needed (L3 upkeep).
import { decayed, UNUSED_MS } from '#shared/domain/knowledge/upkeep.ts';
import type { Clock, Lessons } from '#shared/ports/world.ts';
import { changeLesson } from './lessons.ts';

/** Looked at with each contribution: more than one, so that old ones go faster than new ones come. */
const AT_ONCE = 4;

/** Retires what nothing used for 180 days; a crash leaves the rest to the next contribution. */
export const retireForgotten = async (tenant: string, ports: { lessons: Lessons; clock: Clock }): Promise<void> => {
  const now = ports.clock.now();
  const idle = await ports.lessons.idle(tenant, { before: now - UNUSED_MS, limit: AT_ONCE });
  for (const { id } of idle) await changeLesson({ tenant, id }, (newest) => decayed(newest, now), ports);
};
