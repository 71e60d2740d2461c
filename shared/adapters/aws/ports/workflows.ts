// The machines.
import { SFNClient } from '@aws-sdk/client-sfn';
import { VARIABLES } from '#shared/contracts/storage.ts';
import type { Workflows } from '#shared/ports/world.ts';
import { sfnWorkflows } from '../sfn-workflows.ts';
import { connecting } from './connecting.ts';
import { type Build, variable } from './environment.ts';
import { traceHeader } from './trace.ts';

export const workflows: Build<Workflows> = (variables) =>
  sfnWorkflows({
    client: new SFNClient(connecting(variables)),
    machines: {
      task: variable(variables, VARIABLES.machine('task')),
      review: variable(variables, VARIABLES.machine('review')),
    },
    trace: traceHeader,
  });
