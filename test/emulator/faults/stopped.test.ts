// Executions that somebody stops by hand in the console: told on the account's bus, swept, and gone on with by the next generation; or found by the
// look of each minute. What is stopped again and again is lost, which its parent decides about. Nothing is done twice (architecture section 3).
import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import {
  DisableRuleCommand,
  EnableRuleCommand,
  EventBridgeClient,
  ListTargetsByRuleCommand,
} from '@aws-sdk/client-eventbridge';
import { SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TENANT } from '#functions/acp/gateway/who.ts';
import { executionName, rootOf } from '#shared/contracts/ids.ts';
import type { TaskMachine } from '#shared/contracts/machines.ts';
import { stackOf } from '#test/conformance/hosts/stack.ts';
import type { House } from '#test/conformance/house.ts';
import { executionsOf, onceOnly, openDeployedHouse, working } from './deployed-house.ts';
import { invoke } from './lambda.ts';

const MACHINES = 'arn:aws:states:us-east-1:000000000000:execution:hca-dev-';
const DIED = { Name: 'hca-dev-machine-died' };
const PATIENCE = { timeout: 30_000, interval: 200 };

describe.runIf(process.env.HCA_TEST_STACKS !== undefined)('an execution that is stopped by hand', () => {
  const machines = new SFNClient({});
  const events = new EventBridgeClient({});
  let house: House;
  beforeAll(async () => {
    house = await openDeployedHouse();
  });
  afterAll(() => house.close());

  const stop = (machine: TaskMachine, record: string, generation: number) => {
    const executionArn = `${MACHINES}${machine}:${executionName(record, generation)}`;
    const command = new StopExecutionCommand({ executionArn, error: 'Stopped', cause: 'by hand, in the console' });
    return vi.waitFor(() => machines.send(command), PATIENCE);
  };

  const stalled = async (seconds: number) => {
    const task = await house.submit(`certify: stall for ${seconds} seconds`);
    return { task, leaf: await working(house, task) };
  };

  it('is gone on with by the next, the root and a leaf at work: its call is made again and counts once', async () => {
    const { task, leaf } = await stalled(3);
    await Promise.all([stop('coordinator', task, 1), stop('leaf', leaf, 1)]);
    const ran = await house.ended(task);
    expect(ran.view.outcome).toBe('accepted');
    onceOnly(ran);
    expect(ran.entries.filter(({ text }) => text.startsWith('sleeps 3 seconds'))).toHaveLength(1);
    const again = ['ABORTED', 'SUCCEEDED'];
    expect(await executionsOf(house, task)).toMatchObject({ [task]: again, [leaf]: again });
  });

  it('is found by the look of each minute where its end was never told', async () => {
    const [rule] = (await events.send(new ListTargetsByRuleCommand({ Rule: 'hca-dev-minute' }))).Targets!.filter(
      ({ Arn }) => Arn?.endsWith(':hca-dev-sweep'),
    );
    await events.send(new DisableRuleCommand(DIED));
    const { task, leaf } = await stalled(3);
    await stop('coordinator', task, 1).finally(() => events.send(new EnableRuleCommand(DIED)));
    const [tasks] = stackOf(process.env).tables.filter((name) => name.includes('Tasks'));
    await new DynamoDBClient({}).send(
      new UpdateItemCommand({
        TableName: tasks,
        Key: { pk: { S: `${TENANT}#${rootOf(task)}` }, sk: { S: task } },
        UpdateExpression: 'SET lease_until = :past',
        ConditionExpression: 'attribute_exists(lease_until)',
        ExpressionAttributeValues: { ':past': { S: '0'.repeat(15) } },
      }),
    );
    await invoke('hca-dev-sweep', JSON.parse(rule!.Input!));
    const ran = await house.ended(task);
    expect(ran.view.outcome).toBe('accepted');
    onceOnly(ran);
    expect(await executionsOf(house, task)).toMatchObject({ [task]: ['ABORTED', 'SUCCEEDED'], [leaf]: ['SUCCEEDED'] });
  });

  it('is lost when it is stopped each time, and its parent decides', async () => {
    const { task, leaf } = await stalled(600);
    for (const generation of [1, 2, 3]) await stop('leaf', leaf, generation);
    const ran = await house.ended(task);
    expect(ran.view.outcome).toBe('escalated');
    expect(ran.view.escalation).toMatchObject({ reason: 'child_failed' });
    const { escalation } = await house.door().call('_hca/task/get', { task: leaf });
    expect(escalation).toMatchObject({ reason: 'lost', detail: expect.stringContaining('its machine died 3 times') });
    expect(await executionsOf(house, task)).toMatchObject({ [leaf]: ['ABORTED', 'ABORTED', 'ABORTED'] });
  });
});
