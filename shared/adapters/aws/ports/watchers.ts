// Open WebSockets, in the table of sessions.
import type { Watchers } from '#shared/ports/watchers.ts';
import { dynamoWatchers } from '../dynamo-watchers.ts';
import { clock } from './clock.ts';
import type { Build } from './environment.ts';
import { tableOf } from './tables.ts';

export const watchers: Build<Watchers> = (variables) =>
  dynamoWatchers(tableOf(variables, 'sessions'), clock(variables));
