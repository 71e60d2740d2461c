// ROUTE as a Lambda function: the step, and the ports of its register row.
import { clock } from '#shared/adapters/aws/ports/clock.ts';
import { journal } from '#shared/adapters/aws/ports/journal.ts';
import { marks } from '#shared/adapters/aws/ports/marks.ts';
import { sandbox } from '#shared/adapters/aws/ports/sandbox.ts';
import { tasks } from '#shared/adapters/aws/ports/tasks.ts';
import { waits } from '#shared/adapters/aws/ports/waits.ts';
import { workflows } from '#shared/adapters/aws/ports/workflows.ts';
import { handle } from '../wrap.ts';
import { route } from './step.ts';

export const handler = handle('route', route, { clock, journal, marks, sandbox, tasks, waits, workflows });
