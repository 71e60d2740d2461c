// A deployed house whose surroundings misbehave: tables that throttle, break down, or whose answer is lost after the write; and a bus that says
// everything again and in another order. Every task ends as undisturbed, with nothing lost or done twice.
import { setTimeout as delay } from 'node:timers/promises';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Message } from '#shared/contracts/messages.ts';
import { STEPS } from '#shared/contracts/steps.ts';
import type { House, Ran } from '#test/conformance/house.ts';
import { openTap } from '../tap.ts';
import { executionsOf, lettersOf, onceOnly, openDeployedHouse } from './deployed-house.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { setVariables } from './lambda.ts';

const ACCEPT = 'certify: accept';
/**
 * What machines and the bus call, but for the look of each minute, and for what waits: on the emulator the failure of a waiting function is dropped
 * (expected-failures.ts).
 */
const DISTURBED = Object.entries(STEPS).flatMap(([name, { waits }]) => (waits || name === 'sweep' ? [] : [name]));

describe.runIf(process.env.HCA_TEST_STACKS !== undefined)('a disturbed house', () => {
  const events = new EventBridgeClient({});
  let house: House;
  beforeAll(async () => {
    house = await openDeployedHouse();
  });
  afterAll(() => house.close());

  /** What a task comes to: who did what how often. */
  const deedsOf = ({ entries }: Ran): string[] =>
    entries
      .filter(({ kind }) => kind !== 'note')
      .map(({ holon, step, state }) => `${holon} ${step} ${state}`)
      .sort();

  it('does everything once on tables that throttle, break down and lose answers', async () => {
    const calm = await house.run(ACCEPT);
    const proxy = await startFaultProxy(process.env.HCA_TEST_ENDPOINT!);
    const through = { AWS_ENDPOINT_URL_DYNAMODB: proxy.url };
    for (const name of DISTURBED)
      onTestFinished(await setVariables(`hca-dev-${name}`, (had) => ({ ...had, ...through })));
    onTestFinished(proxy.close);
    const ran = await house.run(ACCEPT);
    expect(ran.view.outcome).toBe('accepted');
    onceOnly(ran);
    expect(deedsOf(ran)).toEqual(deedsOf(calm));
    expect([...proxy.happened].filter(([, times]) => times > 5)).toHaveLength(3);
    expect(await lettersOf(house)).toEqual([]);
  });

  it('does everything once when each message comes twice, and all of them again later and backwards', async () => {
    const tap = await openTap();
    const publish = async (messages: readonly Message[]): Promise<void> => {
      for (const message of messages) {
        const entry = {
          EventBusName: 'hca-dev',
          Source: 'hca',
          DetailType: message.method,
          Detail: JSON.stringify(message),
        };
        await events.send(new PutEventsCommand({ Entries: [entry] }));
      }
    };
    const said = new Map<string, Message>();
    const repeat = async (): Promise<void> => {
      const fresh = (await tap.heard()).filter(({ id }) => !said.has(id));
      for (const message of fresh) said.set(message.id, message);
      await publish(fresh);
    };
    const task = await house.submit(ACCEPT);
    let ran: Ran | undefined;
    const ending = house.ended(task).then((ended) => {
      ran = ended;
    });
    while (ran === undefined) {
      await repeat();
      await Promise.race([ending, delay(100)]);
    }
    await repeat();
    await publish([...said.values()].reverse());
    // What was said before it is consumed by the time a task is through.
    const calm = await house.run(ACCEPT);
    await tap.close();
    expect(said.size).toBeGreaterThan(15);
    expect(ran.view.outcome).toBe('accepted');
    onceOnly(ran);
    expect(deedsOf(ran)).toEqual(deedsOf(calm));
    expect(ran.view.spent.calls).toBe(calm.view.spent.calls);
    const executions = Object.values(await executionsOf(house, task)).flat();
    expect(executions.filter((status) => status !== 'SUCCEEDED')).toEqual([]);
    expect(executions).toHaveLength(Object.values(await executionsOf(house, calm.task)).flat().length);
    expect(await house.door().call('_hca/task/get', { task })).toEqual(ran.view);
    expect(await lettersOf(house)).toEqual([]);
  });
});
