// A deployment over running tasks: what runs finishes in the machine it began in, with the code that is there now; what begins afterwards has both new.
// The new code ends its process in the middle of each step, once: what was stored is carried through when the step is called again.
import {
  DisableRuleCommand,
  EnableRuleCommand,
  EventBridgeClient,
  PutEventsCommand,
} from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { deploy } from '#scripts/emulator/cdk.ts';
import type { Message } from '#shared/contracts/messages.ts';
import type { House, Ran } from '#test/conformance/house.ts';
import { openTap } from '../tap.ts';
import { changedCheckout, FIRST, SAYS } from './changed-checkout.ts';
import { lettersOf, nodesOf, onceOnly, openDeployedHouse } from './deployed-house.ts';

const ACCEPT = 'certify: accept';
const METHOD = 'hca/review/request';
const HELD = { Name: 'hca-dev-review-request', EventBusName: 'hca-dev' };
const PATIENCE = { timeout: 120_000, interval: 300 };

describe.runIf(process.env.HCA_TEST_STACKS !== undefined)('a deployment over running tasks', () => {
  const events = new EventBridgeClient({});
  let house: House;
  beforeAll(async () => {
    house = await openDeployedHouse();
  });
  afterAll(() => house.close());

  /** The first states of all executions below a task, and how they ended. */
  const beginnings = async (task: string) => {
    const { tree } = await house.door().call('_hca/task/trace', { task });
    const executions = nodesOf(tree).flatMap((node) => node.executions);
    expect(executions.length).toBeGreaterThan(5);
    return {
      first: [...new Set(executions.map(({ states }) => states[0]!.name))],
      status: [...new Set(executions.map(({ status }) => status))],
    };
  };

  const saidOf = ({ entries }: Ran): string[] => entries.filter(({ step }) => step === 'judge').map(({ text }) => text);

  /** A task whose leaf waits for its review, whose request is kept back; `release` says it. */
  const held = async () => {
    const tap = await openTap();
    await events.send(new DisableRuleCommand(HELD));
    onTestFinished(async () => {
      await events.send(new EnableRuleCommand(HELD));
      await tap.close();
    });
    const task = await house.submit(ACCEPT);
    const said = new Map<string, Message>();
    await vi.waitFor(async () => {
      for (const message of await tap.heard()) said.set(message.method, message);
      expect([...said.keys()]).toContain(METHOD);
    }, PATIENCE);
    const release = async (): Promise<void> => {
      await events.send(new EnableRuleCommand(HELD));
      const entry = {
        EventBusName: 'hca-dev',
        Source: 'hca',
        DetailType: METHOD,
        Detail: JSON.stringify(said.get(METHOD)),
      };
      await events.send(new PutEventsCommand({ Entries: [entry] }));
    };
    return { task, release };
  };

  it('lets them finish, loses and doubles nothing, and is what new ones run on', async () => {
    const { task, release } = await held();
    const checkout = changedCheckout();
    onTestFinished(checkout.remove);
    const context = [`sandbox=${process.env.HCA_TEST_SANDBOX}`];
    await deploy(process.env.HCA_TEST_ENDPOINT!, { environment: 'dev', context, built: checkout.folder });
    await release();
    const old = await house.ended(task);
    const anew = await house.run(ACCEPT);
    for (const ran of [old, anew]) {
      expect(ran.view.outcome).toBe('accepted');
      onceOnly(ran);
      expect(saidOf(ran)).toEqual(Array(3).fill(expect.stringMatching(`^${SAYS.is}`)));
    }
    const before = await beginnings(task);
    expect(before.first).not.toEqual([FIRST]);
    expect(before.first).toContain('Plan');
    expect(await beginnings(anew.task)).toEqual({ first: [FIRST], status: ['SUCCEEDED'] });
    expect(before.status).toEqual(['SUCCEEDED']);
    expect(checkout.died()).toEqual(expect.arrayContaining(['accept', 'answer', 'judge', 'plan', 'work']));
    expect(await lettersOf(house)).toEqual([]);
  });
});
