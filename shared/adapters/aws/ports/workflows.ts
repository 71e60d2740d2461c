// The machines.
import { SFNClient } from '@aws-sdk/client-sfn';
import type { Workflows } from '#shared/ports/world.ts';
import { sfnWorkflows } from '../sfn-workflows.ts';
import { connecting } from './connecting.ts';
import type { Build } from './environment.ts';
import { machinesOf } from './machines.ts';
import { traceHeader } from './trace.ts';

export const workflows: Build<Workflows> = (variables) =>
  sfnWorkflows({
    client: new SFNClient(connecting(variables)),
    machines: machinesOf(variables),
    trace: traceHeader,
  });
