// WORK as a Lambda function: the step, and the ports of its register row.
import { artifacts } from '#shared/adapters/aws/ports/artifacts.ts';
import { commits } from '#shared/adapters/aws/ports/commits.ts';
import { sandbox } from '#shared/adapters/aws/ports/sandbox.ts';
import { tools } from '#shared/adapters/aws/ports/tools.ts';
import { workspaces } from '#shared/adapters/aws/ports/workspaces.ts';
import { handle } from '../wrap.ts';
import { work } from './step.ts';

export const handler = handle('work', work, { ...commits, artifacts, sandbox, tools, workspaces });
