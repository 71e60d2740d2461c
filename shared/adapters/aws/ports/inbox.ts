// Finished messages in their table.
import type { Inbox } from '#shared/ports/waits.ts';
import { dynamoInbox } from '../dynamo-waits.ts';
import { clock } from './clock.ts';
import type { Build } from './environment.ts';
import { tableOf } from './tables.ts';

export const inbox: Build<Inbox> = (variables) => dynamoInbox(tableOf(variables, 'waits'), clock(variables));
