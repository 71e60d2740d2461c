// Two environments in one account: each has its own door, tables, bus and machines, what happens in one leaves no trace in the other, and one that is
// destroyed takes nothing of the other with it.
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deploy } from '#scripts/emulator/cdk.ts';
import { leftBehind } from '#scripts/emulator/leftovers.ts';
import { type Stack, stackOf } from '#test/conformance/hosts/stack.ts';
import type { House } from '#test/conformance/house.ts';
import { byCommand } from './by-command.ts';
import { executionsOf, lettersOf, onceOnly, openDeployedHouse, working } from './deployed-house.ts';

describe.runIf(process.env.HCA_TEST_STACKS !== undefined)('two environments in one account', () => {
  const { HCA_TEST_ENDPOINT: endpoint = '', HCA_TEST_SANDBOX: sandbox = '' } = process.env;
  let dev: House;
  let staging: House;
  let stacks: Record<'dev' | 'staging', Stack>;
  beforeAll(async () => {
    dev = await openDeployedHouse();
    const outputs = await deploy(endpoint, { environment: 'staging', context: [`sandbox=${sandbox}`] });
    const other = { ...process.env, HCA_TEST_STACKS: JSON.stringify(outputs) };
    stacks = { dev: stackOf(process.env), staging: stackOf(other) };
    vi.stubEnv('HCA_TEST_STACKS', other.HCA_TEST_STACKS);
    staging = await openDeployedHouse();
    vi.unstubAllEnvs();
  });
  afterAll(() => Promise.all([dev.close(), staging.close()]));

  const storedIn = async ({ tables }: Stack): Promise<string> => {
    const found: unknown[] = [];
    for (const name of tables)
      for await (const { Items } of paginateScan({ client: new DynamoDBClient({}) }, { TableName: name }))
        found.push(Items);
    return JSON.stringify(found);
  };

  it('share nothing', () => {
    const { tables, ...one } = stacks.dev;
    const { tables: others, ...other } = stacks.staging;
    expect(tables.filter((name) => others.includes(name))).toEqual([]);
    for (const key of ['prefix', 'url', 'socket', 'letters', 'bucket'] as const) expect(one[key]).not.toBe(other[key]);
  });

  it('work at the same time, and leave no trace in each other', async () => {
    const stalled = await dev.submit('certify: stall for 5 seconds');
    await working(dev, stalled);
    const there = await staging.run('certify: accept');
    const here = await dev.ended(stalled);
    for (const ran of [here, there]) {
      expect(ran.view.outcome).toBe('accepted');
      onceOnly(ran);
    }
    expect(await storedIn(stacks.dev)).not.toContain(there.task);
    expect(await storedIn(stacks.staging)).not.toContain(stalled);
    await expect(executionsOf(staging, stalled)).rejects.toMatchObject({ code: 'HcaNotFound' });
    expect([await lettersOf(dev), await lettersOf(staging)]).toEqual([[], []]);
  });

  it('go one by one', async () => {
    const task = await dev.submit('certify: stall for 5 seconds');
    const { exit, out, err } = await byCommand(endpoint, 'destroy', ['--env', 'staging', '-c', `sandbox=${sandbox}`]);
    expect(exit, out + err).toBe(0);
    const left = (await leftBehind(endpoint)).filter((name) => name.includes('hca-staging'));
    expect(left).toEqual(['secret hca-staging-sandbox-key']);
    expect((await dev.ended(task)).view.outcome).toBe('accepted');
  });
});
