// What each person has left of what is counted by time, in the table of sessions.
import { dynamoThrottle, type Throttle } from '../dynamo-throttle.ts';
import { clock } from './clock.ts';
import type { Build } from './environment.ts';
import { tableOf } from './tables.ts';

export const throttle: Build<Throttle> = (variables) =>
  dynamoThrottle(tableOf(variables, 'sessions'), clock(variables));
