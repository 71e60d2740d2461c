// DELEGATE as a Lambda function: the step, and the ports of its register row.
import { commits } from '#shared/adapters/aws/ports/commits.ts';
import { holons } from '#shared/adapters/aws/ports/holons.ts';
import { handle } from '../wrap.ts';
import { delegate } from './step.ts';

export const handler = handle('delegate', delegate, { ...commits, holons });
