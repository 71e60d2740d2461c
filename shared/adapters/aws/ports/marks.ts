// Marks in their table.
import type { Marks } from '#shared/ports/waits.ts';
import { dynamoMarks } from '../dynamo-waits.ts';
import type { Build } from './environment.ts';
import { tableOf } from './tables.ts';

export const marks: Build<Marks> = (variables) => dynamoMarks(tableOf(variables, 'waits'));
