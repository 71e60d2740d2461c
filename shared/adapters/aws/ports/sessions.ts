// ACP sessions in their table.
import type { Sessions } from '#shared/ports/sessions.ts';
import { dynamoSessions } from '../dynamo-sessions.ts';
import { clock } from './clock.ts';
import type { Build } from './environment.ts';
import { tableOf } from './tables.ts';

export const sessions: Build<Sessions> = (variables) =>
  dynamoSessions(tableOf(variables, 'sessions'), clock(variables));
