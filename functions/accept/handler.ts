// ACCEPT as a Lambda function: the step, and the ports of its register row.
import { commits } from '#shared/adapters/aws/ports/commits.ts';
import { handle } from '../wrap.ts';
import { accept } from './step.ts';

export const handler = handle('accept', accept, { ...commits });
