// ANSWER as a Lambda function: the step, and the ports of its register row.
import { commits } from '#shared/adapters/aws/ports/commits.ts';
import { holons } from '#shared/adapters/aws/ports/holons.ts';
import { lessons } from '#shared/adapters/aws/ports/lessons.ts';
import { profiles } from '#shared/adapters/aws/ports/profiles.ts';
import { workspaces } from '#shared/adapters/aws/ports/workspaces.ts';
import { handle } from '../wrap.ts';
import { answer } from './step.ts';

export const handler = handle('answer', answer, { ...commits, holons, lessons, profiles, workspaces });
