// Records in their table.
import type { Tasks } from '#shared/ports/tasks.ts';
import { dynamoTasks } from '../dynamo-tasks.ts';
import { clock } from './clock.ts';
import type { Build } from './environment.ts';
import { tableOf } from './tables.ts';

export const tasks: Build<Tasks> = (variables) => dynamoTasks(tableOf(variables, 'tasks'), clock(variables));
