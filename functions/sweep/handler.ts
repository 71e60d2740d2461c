// SWEEP as a Lambda function: the step, and the ports of its register row.
import { clock } from '#shared/adapters/aws/ports/clock.ts';
import { holons } from '#shared/adapters/aws/ports/holons.ts';
import { journal } from '#shared/adapters/aws/ports/journal.ts';
import { ledger } from '#shared/adapters/aws/ports/ledger.ts';
import { marks } from '#shared/adapters/aws/ports/marks.ts';
import { messages } from '#shared/adapters/aws/ports/messages.ts';
import { tasks } from '#shared/adapters/aws/ports/tasks.ts';
import { waits } from '#shared/adapters/aws/ports/waits.ts';
import { workflows } from '#shared/adapters/aws/ports/workflows.ts';
import { handle } from '../wrap.ts';
import { sweep } from './step.ts';

export const handler = handle('sweep', sweep, {
  clock,
  holons,
  journal,
  ledger,
  marks,
  messages,
  tasks,
  waits,
  workflows,
});
