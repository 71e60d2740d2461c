// REVISE as a Lambda function: the step, and the ports of its register row.
import { commits } from '#shared/adapters/aws/ports/commits.ts';
import { handle } from '../wrap.ts';
import { revise } from './step.ts';

export const handler = handle('revise', revise, { ...commits });
