// Executions on Step Functions: a name starts once, tokens that are gone are ignored, and everything else is a fault.
import { CreateStateMachineCommand, SFNClient } from '@aws-sdk/client-sfn';
import { describe, expect, test } from 'vitest';
import { sfnWorkflows } from '#shared/adapters/aws/sfn-workflows.ts';
import { endpoints, freshName } from '#test/support/endpoint.ts';
import { type Asked, Exception, memoryAws } from '#test/support/memory-aws.ts';
import { rootId } from '../suites/samples.ts';

const machines = {
  leaf: 'arn:aws:states:us-east-1:1:stateMachine:hca-dev-leaf',
  coordinator: 'arn:aws:states:us-east-1:1:stateMachine:hca-dev-coordinator',
  review: 'arn:aws:states:us-east-1:1:stateMachine:hca-dev-review',
};
const TASK = `${rootId(1)}-1`;
const ARN = `arn:aws:states:us-east-1:1:execution:hca-dev-leaf:${TASK}`;
const input = { tenant: 'local', task: rootId(1) };

const open = (answer: (asked: Asked) => object, trace?: () => string) => {
  const { config, asked } = memoryAws(answer);
  const client = new SFNClient(config);
  return { asked, workflows: sfnWorkflows({ client, machines, ...(trace === undefined ? {} : { trace }) }) };
};
const throwing = (name: string, status = 400) => {
  throw new Exception(name, status);
};

/** A house in which the name is taken, by an execution that looks like this. */
const taken = (found: object) =>
  open(({ operation }) => (operation === 'StartExecution' ? throwing('ExecutionAlreadyExists') : found));

describe('executions on Step Functions', () => {
  test('start by name with ids alone, in the trace of the invocation', async () => {
    const { workflows, asked } = open(
      () => ({ executionArn: ARN, startDate: 1 }),
      () => 'Root=1-2-3',
    );
    expect(await workflows.start('leaf', TASK, input)).toBe('started');
    expect(asked).toEqual([
      {
        operation: 'StartExecution',
        input: { stateMachineArn: machines.leaf, name: TASK, input: JSON.stringify(input), traceHeader: 'Root=1-2-3' },
      },
    ]);
  });

  test('a name that is taken is the same while open with the same input, else refused', async () => {
    const same = { status: 'RUNNING', input: JSON.stringify(input) };
    expect(await taken(same).workflows.start('leaf', TASK, input)).toBe('same');
    expect(await taken({ ...same, status: 'SUCCEEDED' }).workflows.start('leaf', TASK, input)).toBe('refused');
    expect(await taken({ ...same, input: '{}' }).workflows.start('leaf', TASK, input)).toBe('refused');
  });

  test.each(['', 'x'.repeat(81), 'a/b', 'ä'])('the name "%s" is refused before the call', async (name) => {
    const { workflows, asked } = open(() => ({}));
    await expect(workflows.start('leaf', name, input)).rejects.toMatchObject({ code: 'HcaBadInput', field: 'name' });
    expect(asked).toEqual([]);
  });

  test.each(['TaskTimedOut', 'TaskDoesNotExist', 'InvalidToken'])(
    'a token that is gone (%s) is ignored',
    async (name) => {
      const { workflows, asked } = open(() => throwing(name));
      await workflows.succeed('token');
      await workflows.fail('token', 'HcaCancelled', 'enough');
      expect(asked.map(({ operation }) => operation)).toEqual(['SendTaskSuccess', 'SendTaskFailure']);
    },
  );

  test('an error and a cause of any length are told as far as they fit', async () => {
    const { workflows, asked } = open(() => ({}));
    await workflows.fail('token', 'E'.repeat(300), 'c'.repeat(40_000));
    await workflows.stop('leaf', TASK, 'c'.repeat(40_000));
    expect(asked[0]?.input).toEqual({ taskToken: 'token', error: 'E'.repeat(256), cause: 'c'.repeat(32_768) });
    expect(asked[1]?.input).toMatchObject({ executionArn: ARN, cause: 'c'.repeat(32_768) });
  });

  test('describes by name; what was never started, or is gone, is undefined and needs no stop', async () => {
    const { workflows } = open(() => ({ status: 'TIMED_OUT', startDate: 1, stopDate: 2.5 }));
    expect(await workflows.describe('leaf', TASK)).toEqual({
      status: 'TIMED_OUT',
      started_at: 1000,
      ended_at: 2500,
      error: null,
    });
    const failed = open(() => ({ status: 'FAILED', startDate: 1, stopDate: 2, error: 'HcaOtherKind' })).workflows;
    expect(await failed.describe('leaf', TASK)).toMatchObject({ status: 'FAILED', error: 'HcaOtherKind' });
    const gone = open(() => throwing('ExecutionDoesNotExist')).workflows;
    expect(await gone.describe('review', 'no-such')).toBeUndefined();
    await gone.stop('review', 'no-such', 'enough');
    const redriven = open(() => ({ status: 'PENDING_REDRIVE', startDate: 1 })).workflows;
    expect(await redriven.describe('leaf', TASK)).toMatchObject({
      status: 'RUNNING',
      started_at: 1000,
      ended_at: null,
    });
  });

  test.each([
    ['ExecutionLimitExceeded', 400, 'HcaThrottled'],
    ['ThrottlingException', 400, 'HcaThrottled'],
    ['ServiceUnavailable', 503, 'HcaUnavailable'],
    ['StateMachineDoesNotExist', 400, 'HcaInternal'],
    ['AccessDeniedException', 400, 'HcaInternal'],
  ])('%s is a fault', async (name, status, code) => {
    const { workflows } = open(() => throwing(name, status));
    await expect(workflows.start('leaf', TASK, input)).rejects.toMatchObject({ code });
    await expect(workflows.succeed('token')).rejects.toMatchObject({ code });
    await expect(workflows.stop('leaf', TASK, 'x')).rejects.toMatchObject({ code });
    await expect(workflows.describe('leaf', TASK)).rejects.toMatchObject({ code });
  });
});

for (const emulator of endpoints)
  test('on the emulator, a name starts once, and is refused once it was stopped', async () => {
    const client = new SFNClient(emulator);
    const definition = JSON.stringify({ StartAt: 'Wait', States: { Wait: { Type: 'Wait', Seconds: 600, End: true } } });
    const machine = { name: freshName(), definition, roleArn: 'arn:aws:iam::000000000000:role/hca' };
    const { stateMachineArn = '' } = await client.send(new CreateStateMachineCommand(machine));
    const workflows = sfnWorkflows({
      client,
      machines: { leaf: stateMachineArn, coordinator: stateMachineArn, review: stateMachineArn },
    });
    expect(await workflows.start('leaf', TASK, input)).toBe('started');
    expect(['started', 'same']).toContain(await workflows.start('leaf', TASK, input));
    expect(await workflows.start('leaf', TASK, { ...input, tenant: 'another' })).toBe('refused');
    expect(await workflows.describe('leaf', TASK)).toMatchObject({ status: 'RUNNING', ended_at: null });
    await workflows.stop('leaf', TASK, 'enough');
    expect(await workflows.describe('leaf', TASK)).toMatchObject({ status: 'ABORTED' });
    expect(await workflows.start('leaf', TASK, input)).toBe('refused');
    expect(await workflows.describe('leaf', 'no-such')).toBeUndefined();
    await workflows.stop('leaf', 'no-such', 'enough');
    await workflows.succeed('no such token');
  });
