// Lessons in their table, the snapshots of their index in the bucket.
import type { Lessons } from '#shared/ports/world.ts';
import { dynamoLessons } from '../dynamo-lessons.ts';
import { bytesOf } from './bytes.ts';
import { clock } from './clock.ts';
import type { Build } from './environment.ts';
import { tableOf } from './tables.ts';

export const lessons: Build<Lessons> = (variables) =>
  dynamoLessons({ table: tableOf(variables, 'lessons'), objects: bytesOf(variables), clock: clock(variables) });
