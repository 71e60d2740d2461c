// COMPOUND as a Lambda function: the step, and the ports of its register row.
import { commits } from '#shared/adapters/aws/ports/commits.ts';
import { holons } from '#shared/adapters/aws/ports/holons.ts';
import { tools } from '#shared/adapters/aws/ports/releasing.ts';
import { sandbox } from '#shared/adapters/aws/ports/sandbox.ts';
import { handle } from '../wrap.ts';
import { compound } from './step.ts';

export const handler = handle('compound', compound, { ...commits, holons, sandbox, tools });
