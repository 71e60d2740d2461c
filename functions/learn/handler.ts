// LEARN as a Lambda function: the step, and the ports of its register row.
import { clock } from '#shared/adapters/aws/ports/clock.ts';
import { journal } from '#shared/adapters/aws/ports/journal.ts';
import { lessons } from '#shared/adapters/aws/ports/lessons.ts';
import { messages } from '#shared/adapters/aws/ports/messages.ts';
import { tasks } from '#shared/adapters/aws/ports/tasks.ts';
import { handle } from '../wrap.ts';
import { learn } from './step.ts';

export const handler = handle('learn', learn, { clock, journal, lessons, messages, tasks });
