// COLLECT as a Lambda function: the step, and the ports of its register row.
import { artifacts } from '#shared/adapters/aws/ports/artifacts.ts';
import { commits } from '#shared/adapters/aws/ports/commits.ts';
import { waits } from '#shared/adapters/aws/ports/waits.ts';
import { handle } from '../wrap.ts';
import { collect } from './step.ts';

export const handler = handle('collect', collect, { ...commits, artifacts, waits });
