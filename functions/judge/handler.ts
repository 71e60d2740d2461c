// JUDGE as a Lambda function: the step, and the ports of its register row.
import { artifacts } from '#shared/adapters/aws/ports/artifacts.ts';
import { commits } from '#shared/adapters/aws/ports/commits.ts';
import { holons } from '#shared/adapters/aws/ports/holons.ts';
import { profiles } from '#shared/adapters/aws/ports/profiles.ts';
import { sandbox } from '#shared/adapters/aws/ports/sandbox.ts';
import { tools } from '#shared/adapters/aws/ports/tools.ts';
import { handle } from '../wrap.ts';
import { judge } from './step.ts';

export const handler = handle('judge', judge, { ...commits, artifacts, holons, profiles, sandbox, tools });
