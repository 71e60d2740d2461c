// Entries in their table.
import type { Journal } from '#shared/ports/journal.ts';
import { dynamoJournal } from '../dynamo-journal.ts';
import { clock } from './clock.ts';
import type { Build } from './environment.ts';
import { tableOf } from './tables.ts';

export const journal: Build<Journal> = (variables) => dynamoJournal(tableOf(variables, 'journal'), clock(variables));
