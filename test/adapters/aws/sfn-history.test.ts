// What an execution on Step Functions went through: every page, every event with the state it belongs to, and a link a person can follow.
import { SFNClient } from '@aws-sdk/client-sfn';
import { describe, expect, test } from 'vitest';
import { sfnHistory } from '#shared/adapters/aws/sfn-history.ts';
import { statesOf } from '#shared/domain/trace.ts';
import { type Asked, Exception, memoryAws } from '#test/support/memory-aws.ts';

const machines = {
  leaf: 'arn:aws:states:eu-central-1:1:stateMachine:hca-dev-leaf',
  coordinator: 'arn:aws:states:eu-central-1:1:stateMachine:hca-dev-coordinator',
  review: 'arn:aws:states:eu-central-1:1:stateMachine:hca-dev-review',
};

const open = (answer: (asked: Asked) => object) => {
  const { config, asked } = memoryAws(answer);
  return { asked, history: sfnHistory({ client: new SFNClient(config), machines }) };
};

const at = 1_000;
const FIRST = {
  nextToken: 'more',
  events: [
    { id: 1, previousEventId: 0, timestamp: at, type: 'ExecutionStarted' },
    { id: 2, previousEventId: 0, timestamp: at, type: 'TaskStateEntered', stateEnteredEventDetails: { name: 'Plan' } },
    { id: 3, previousEventId: 2, timestamp: at, type: 'TaskScheduled' },
  ],
};
const SECOND = {
  events: [
    { id: 4, previousEventId: 3, timestamp: at, type: 'TaskFailed', taskFailedEventDetails: { error: 'HcaThrottled' } },
    { id: 5, previousEventId: 4, timestamp: at, type: 'TaskStateExited', stateExitedEventDetails: { name: 'Plan' } },
  ],
};

describe('a history on Step Functions', () => {
  test('is read to its last page, each event with the one it follows', async () => {
    const { history, asked } = open(({ input }) => (input.nextToken === undefined ? FIRST : SECOND));
    const events = await history.events('leaf', 'T-1');
    expect(events.map(({ type, previous, name, error }) => [type, previous, name, error])).toEqual([
      ['ExecutionStarted', 0, null, null],
      ['TaskStateEntered', 0, 'Plan', null],
      ['TaskScheduled', 2, null, null],
      ['TaskFailed', 3, null, 'HcaThrottled'],
      ['TaskStateExited', 4, 'Plan', null],
    ]);
    expect(events[0]?.at).toBe(at * 1000);
    expect(asked.map(({ input }) => input.nextToken)).toEqual([undefined, 'more']);
  });

  test('without a word on what an event follows is taken in its order', async () => {
    const plain = [...FIRST.events, ...SECOND.events].map(({ previousEventId: _, ...event }) => event);
    const { history } = open(() => ({ events: plain }));
    const events = await history.events('leaf', 'T-1');
    expect(events.map(({ previous }) => previous)).toEqual([0, 1, 2, 3, 4]);
    expect(statesOf(events)).toMatchObject([{ name: 'Plan', attempts: 1, error: 'HcaThrottled', left_at: at * 1000 }]);
  });

  test('of what was never started is empty', async () => {
    const { history } = open(() => {
      throw new Exception('ExecutionDoesNotExist', 400);
    });
    expect(await history.events('review', 'R-1')).toEqual([]);
  });

  test('links to its execution in the console of its region, and nowhere outside the public partition', () => {
    const { history } = open(() => ({}));
    expect(history.link('leaf', 'T-1')).toBe(
      'https://eu-central-1.console.aws.amazon.com/states/home?region=eu-central-1#/v2/executions/details/arn%3Aaws%3Astates%3Aeu-central-1%3A1%3Aexecution%3Ahca-dev-leaf%3AT-1',
    );
    const elsewhere = { ...machines, leaf: machines.leaf.replace('arn:aws:', 'arn:aws-cn:') };
    const { config } = memoryAws(() => ({}));
    expect(sfnHistory({ client: new SFNClient(config), machines: elsewhere }).link('leaf', 'T-1')).toBeNull();
  });
});
