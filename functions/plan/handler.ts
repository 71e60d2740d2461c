// PLAN as a Lambda function: the step, and the ports of its register row.
import { artifacts } from '#shared/adapters/aws/ports/artifacts.ts';
import { commits } from '#shared/adapters/aws/ports/commits.ts';
import { holons } from '#shared/adapters/aws/ports/holons.ts';
import { lessons } from '#shared/adapters/aws/ports/lessons.ts';
import { profiles } from '#shared/adapters/aws/ports/profiles.ts';
import { sandbox } from '#shared/adapters/aws/ports/sandbox.ts';
import { tools } from '#shared/adapters/aws/ports/tools.ts';
import { workspaces } from '#shared/adapters/aws/ports/workspaces.ts';
import { handle } from '../wrap.ts';
import { plan } from './step.ts';

export const handler = handle('plan', plan, {
  ...commits,
  artifacts,
  holons,
  lessons,
  profiles,
  sandbox,
  tools,
  workspaces,
});
