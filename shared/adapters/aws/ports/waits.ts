// Waits in their table.
import type { Waits } from '#shared/ports/waits.ts';
import { dynamoWaits } from '../dynamo-waits.ts';
import { clock } from './clock.ts';
import type { Build } from './environment.ts';
import { tableOf } from './tables.ts';

export const waits: Build<Waits> = (variables) => dynamoWaits(tableOf(variables, 'waits'), clock(variables));
