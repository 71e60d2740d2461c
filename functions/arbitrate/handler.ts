// ARBITRATE as a Lambda function: the step, and the ports of its register row.
import { commits } from '#shared/adapters/aws/ports/commits.ts';
import { holons } from '#shared/adapters/aws/ports/holons.ts';
import { handle } from '../wrap.ts';
import { arbitrate } from './step.ts';

export const handler = handle('arbitrate', arbitrate, { ...commits, holons });
