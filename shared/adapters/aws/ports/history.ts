// Histories of executions.
import { SFNClient } from '@aws-sdk/client-sfn';
import type { History } from '#shared/ports/world.ts';
import { sfnHistory } from '../sfn-history.ts';
import { connecting } from './connecting.ts';
import type { Build } from './environment.ts';
import { machinesOf } from './machines.ts';

export const history: Build<History> = (variables) =>
  sfnHistory({ client: new SFNClient(connecting(variables)), machines: machinesOf(variables) });
