// Lessons on tables and a bucket of their own; `again` is another process on the same ones.
import { dynamoLessons } from '#shared/adapters/aws/dynamo-lessons.ts';
import { s3Objects } from '#shared/adapters/aws/s3-objects.ts';
import { systemClock } from '#shared/adapters/local/system-clock.ts';
import type { Clock, Lessons } from '#shared/ports/world.ts';
import { memoryS3 } from '#test/support/memory-s3.ts';
import { TENANT } from '../suites/samples.ts';
import { openRig } from './rig.ts';

export const openLessons = async () => {
  const rig = await openRig(['lessons', 'holons']);
  const s3 = memoryS3();
  const again = (clock: Clock = systemClock()): Lessons =>
    dynamoLessons({ table: rig.table('lessons'), objects: s3Objects(s3), clock, every: 10 });
  return { rig, s3, again, lessons: again(), close: rig.close };
};

export type LessonsRig = Awaited<ReturnType<typeof openLessons>>;

/** What a question finds, as `id@version`. */
export const found = async (lessons: Lessons, text = 'linter') =>
  (await lessons.query(TENANT, { text, limit: 50 })).map((hit) => `${hit.lesson.id}@${hit.lesson.version}`);
