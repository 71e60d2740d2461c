// Executions on Step Functions: started by name once, tokens resolved once, stopped and described by name (architecture section 3).
import {
  DescribeExecutionCommand,
  type DescribeExecutionCommandOutput,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  type SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { MachineName } from '#shared/contracts/machines.ts';
import type { ExecutionStatus, Workflows } from '#shared/ports/world.ts';
import { awsCall, isNamed } from './aws-call.ts';
import { executionArn as arnOf, type MachineArns } from './sfn-arns.ts';

/** Client and ARNs of the machines. `trace`: the X-Ray header of the invocation, which the execution goes on with. */
export interface Machines {
  client: SFNClient;
  machines: MachineArns;
  trace?: () => string | undefined;
}

interface Execution {
  machine: MachineName;
  name: string;
}

/** Step Functions as a port. */
export const sfnWorkflows = (house: Machines): Workflows => ({
  start: (machine, name, input) => start(house, { machine, name }, JSON.stringify(input)),
  describe: async (machine, name) => statusOf(await describe(house, { machine, name })),
  succeed: (token) => {
    const command = new SendTaskSuccessCommand({ taskToken: token, output: '{}' });
    return orGone(TOKEN_GONE, () => awsCall('token', () => house.client.send(command)));
  },
  fail: (token, error, cause) => {
    const said = { error: error.slice(0, ERROR), cause: cause.slice(0, CAUSE) };
    const command = new SendTaskFailureCommand({ taskToken: token, ...said });
    return orGone(TOKEN_GONE, () => awsCall('token', () => house.client.send(command)));
  },
  stop: (machine, name, cause) => {
    const executionArn = arnOf(house.machines, { machine, name });
    const command = new StopExecutionCommand({ executionArn, error: 'HcaCancelled', cause: cause.slice(0, CAUSE) });
    return orGone(EXECUTION_GONE, () => awsCall(`execution ${name}`, () => house.client.send(command)));
  },
});

/** Characters that Step Functions takes of an error name and of a cause. */
const ERROR = 256;
const CAUSE = 32_768;
/** Who waited for the token is not waiting any more; what stood behind it lies on the wait (architecture section 3). */
const TOKEN_GONE = ['TaskTimedOut', 'TaskDoesNotExist', 'InvalidToken'];
const EXECUTION_GONE = ['ExecutionDoesNotExist'];
/** What an execution's name may be; the ids of ids.ts are made for it. */
const NAME = /^[A-Za-z0-9_-]{1,80}$/;

/** Step Functions answers a repeat of an open execution with the same input like the start itself; emulators may refuse it, so it is looked at. */
async function start(house: Machines, execution: Execution, input: string): Promise<'started' | 'same' | 'refused'> {
  const { client, machines, trace } = house;
  const { machine, name } = execution;
  if (!NAME.test(name))
    throw new HcaFault('HcaBadInput', {
      message: `"${name}" cannot be the name of an execution`,
      field: 'name',
      remedy: 'a name is 1 to 80 of A-Z, a-z, 0-9, _ and -',
    });
  const traceHeader = trace?.();
  const command = new StartExecutionCommand({
    stateMachineArn: machines[machine],
    name,
    input,
    ...(traceHeader === undefined ? {} : { traceHeader }),
  });
  try {
    await awsCall(`machine ${machine}`, () => client.send(command));
    return 'started';
  } catch (caught) {
    if (!isNamed(caught, 'ExecutionAlreadyExists')) throw caught;
    const found = await describe(house, execution);
    return found?.status === 'RUNNING' && found.input === input ? 'same' : 'refused';
  }
}

async function describe(house: Machines, execution: Execution): Promise<DescribeExecutionCommandOutput | undefined> {
  const command = new DescribeExecutionCommand({ executionArn: arnOf(house.machines, execution) });
  try {
    return await awsCall(`execution ${execution.name}`, () => house.client.send(command));
  } catch (caught) {
    if (isNamed(caught, ...EXECUTION_GONE)) return undefined;
    throw caught;
  }
}

function statusOf(found: DescribeExecutionCommandOutput | undefined): ExecutionStatus | undefined {
  if (found === undefined) return undefined;
  const { status, startDate, stopDate, error = null } = found;
  return {
    // An execution that waits for its redrive is going to run again.
    status: status === undefined || status === 'PENDING_REDRIVE' ? 'RUNNING' : status,
    started_at: startDate?.getTime() ?? 0,
    ended_at: stopDate?.getTime() ?? null,
    error,
  };
}

/** What is gone cannot be told anything, and needs nothing. */
async function orGone(names: readonly string[], call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (caught) {
    if (!isNamed(caught, ...names)) throw caught;
  }
}
