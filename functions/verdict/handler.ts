// VERDICT as a Lambda function: the step, and the ports of its register row.
import { commits } from '#shared/adapters/aws/ports/commits.ts';
import { holons } from '#shared/adapters/aws/ports/holons.ts';
import { profiles } from '#shared/adapters/aws/ports/profiles.ts';
import { handle } from '../wrap.ts';
import { verdict } from './step.ts';

export const handler = handle('verdict', verdict, { ...commits, holons, profiles });
