// Retry and Catch: the arithmetic of delays, counters per retrier, what the wildcards match, what a catcher hands on.
import { describe, expect, it } from 'vitest';
import { matches } from '#local/asl/errors.ts';
import { Rig } from '#test/statemachines/asl/rig.ts';
import { gate, machine, named, task } from '#test/statemachines/asl/states.ts';

/** Fails with these errors one after the other, then answers. */
function failing(...errors: unknown[]): () => unknown {
  const left = [...errors];
  return () => {
    if (left.length === 0) return 'ok';
    throw left.shift();
  };
}

/** The delays between attempts, in milliseconds, as the clock saw them. */
async function delays(rig: Rig): Promise<number[]> {
  const seen: number[] = [];
  await rig.begin();
  for (let next = rig.clock.untilNext; next !== undefined; next = rig.clock.untilNext) {
    seen.push(next);
    await rig.after(next);
  }
  return seen;
}

const five = failing.bind(null, ...Array.from({ length: 5 }, () => named('Busy')));
const rigOf = (retry: object[], f: () => unknown, random?: () => number) =>
  new Rig({ machine: machine({ A: task('f', { Retry: retry }) }), functions: { f }, ...(random ? { random } : {}) });

describe('Retry', () => {
  it('grows by BackoffRate up to MaxDelaySeconds', async () => {
    const retry = { ErrorEquals: ['Busy'], IntervalSeconds: 2, BackoffRate: 3, MaxAttempts: 5, MaxDelaySeconds: 20 };
    const rig = rigOf([retry], five());
    expect(await delays(rig)).toEqual([2_000, 6_000, 18_000, 20_000, 20_000]);
    expect((await rig.now()).status).toBe('SUCCEEDED');
  });

  it('has Step Functions’ defaults: 1 s, doubled, three times', async () => {
    const rig = rigOf([{ ErrorEquals: ['Busy'] }], five());
    expect(await delays(rig)).toEqual([1_000, 2_000, 4_000]);
    expect(await rig.now()).toMatchObject({ status: 'FAILED', error: 'Busy' });
    expect(rig.calls).toHaveLength(4);
  });

  it('with FULL jitter waits anywhere between nothing and the delay', async () => {
    const numbers = [0.5, 0, 0.25];
    const retry = { ErrorEquals: ['Busy'], IntervalSeconds: 4, JitterStrategy: 'FULL' };
    const rig = rigOf([retry], five(), () => numbers.shift() ?? 0);
    expect(await delays(rig)).toEqual([2_000, 4_000]);
    expect(rig.calls).toHaveLength(4);
  });

  it('counts per retrier and takes the first that matches, used up or not', async () => {
    const errors = ['A', 'B', 'A', 'B', 'A'].map((name) => named(name));
    const retry = [
      { ErrorEquals: ['A'], IntervalSeconds: 1, MaxAttempts: 2 },
      { ErrorEquals: ['States.ALL'], IntervalSeconds: 10, MaxAttempts: 9 },
    ];
    const rig = rigOf(retry, failing(...errors));
    expect(await delays(rig)).toEqual([1_000, 10_000, 2_000, 20_000]);
    expect(await rig.now()).toMatchObject({ status: 'FAILED', error: 'A' });
  });

  it('tells the function how often it was retried', async () => {
    const f = failing(named('Busy'), named('Busy'));
    const state = task('f', { Retry: [{ ErrorEquals: ['Busy'] }] }, { n: '{% $states.context.State.RetryCount %}' });
    const rig = new Rig({ machine: machine({ A: state }), functions: { f } });
    await delays(rig);
    expect(rig.calls.map((call) => call.payload.n)).toEqual([0, 1, 2]);
  });

  it('never happens with MaxAttempts 0', async () => {
    const rig = rigOf([{ ErrorEquals: ['Busy'], MaxAttempts: 0 }, { ErrorEquals: ['States.ALL'] }], five());
    expect(await delays(rig)).toEqual([]);
    expect((await rig.now()).error).toBe('Busy');
  });

  it('also follows a timeout', async () => {
    const never = gate();
    const answers = [never.promise, 'ok'];
    const state = task('f', { TimeoutSeconds: 3, Retry: [{ ErrorEquals: ['States.Timeout'] }] });
    const rig = new Rig({ machine: machine({ A: state }), functions: { f: () => answers.shift() } });
    rig.asl.start({ machine: 'm', name: 'x' }, {});
    await new Promise((done) => setImmediate(done));
    await rig.after(3_000);
    expect((await rig.after(1_000)).status).toBe('SUCCEEDED');
  });
});

describe('an error', () => {
  it.each([
    [named('HcaConflict', 'lost'), 'HcaConflict', 'lost'],
    [new Error('plain'), 'Error', 'plain'],
    [new TypeError('odd'), 'TypeError', 'odd'],
    ['a string', 'Lambda.Unknown', 'a string'],
  ])('of a function carries its name: %s', async (thrown, error, message) => {
    const rig = rigOf([], failing(thrown));
    const execution = await rig.begin();
    expect(execution).toMatchObject({ status: 'FAILED', error });
    expect(JSON.parse(execution.cause ?? '')).toMatchObject({ errorType: error, errorMessage: message });
  });

  it.each([
    ['States.ALL', 'Any', true],
    ['States.ALL', 'States.Timeout', true],
    ['States.ALL', 'States.DataLimitExceeded', false],
    ['States.ALL', 'States.Runtime', false],
    ['States.TaskFailed', 'Any', true],
    ['States.TaskFailed', 'States.Timeout', false],
    ['States.TaskFailed', 'States.HeartbeatTimeout', false],
    ['States.TaskFailed', 'States.Runtime', false],
    ['States.Timeout', 'States.HeartbeatTimeout', true],
    ['States.HeartbeatTimeout', 'States.Timeout', false],
    ['States.DataLimitExceeded', 'States.DataLimitExceeded', true],
    ['States.Runtime', 'States.Runtime', false],
    ['Any', 'Other', false],
  ])('%s matches %s: %s', (pattern, error, expected) => {
    expect(matches([pattern], error)).toBe(expected);
  });
});

describe('Catch', () => {
  const caught = (more: object) => ({
    A: task('f', {
      Assign: { set: 'by the state' },
      Output: 'the state',
      Catch: [{ ErrorEquals: ['States.ALL'], Next: 'End', ...more }],
      Next: 'End',
    }),
    End: { Type: 'Succeed', Output: { got: '{% $states.input %}', set: '{% $exists($set) ? $set : "unset" %}' } },
  });
  const run = async (more: object) =>
    await new Rig({ machine: machine(caught(more)), functions: { f: failing(named('Bad', 'so')) } }).begin(1);

  it('hands the error output on, and leaves the state’s own Output and Assign alone', async () => {
    const { status, output } = await run({});
    expect(status).toBe('SUCCEEDED');
    expect(output).toMatchObject({ got: { Error: 'Bad', Cause: expect.stringContaining('so') }, set: 'unset' });
  });

  it('has an Output and an Assign of its own, which see $states.errorOutput and the input', async () => {
    const more = {
      Output: { e: '{% $states.errorOutput.Error %}', i: '{% $states.input %}' },
      Assign: { set: '{% $states.errorOutput.Error %}' },
    };
    expect((await run(more)).output).toEqual({ got: { e: 'Bad', i: 1 }, set: 'Bad' });
  });

  it('fails the execution where its own expression fails', async () => {
    expect((await run({ Output: '{% $states.input.gone %}' })).error).toBe('States.QueryEvaluationError');
  });

  it('also catches what the state’s own Output could not compute', async () => {
    const states = {
      A: task('f', {
        Output: '{% $states.result.gone %}',
        Catch: [{ ErrorEquals: ['States.QueryEvaluationError'], Next: 'End' }],
        Next: 'End',
      }),
      End: { Type: 'Succeed', Output: '{% $states.input.Error %}' },
    };
    const rig = new Rig({ machine: machine(states), functions: { f: () => 1 } });
    expect((await rig.begin()).output).toBe('States.QueryEvaluationError');
  });

  it('comes after the retries, in file order', async () => {
    const state = task('f', {
      Retry: [{ ErrorEquals: ['Bad'], MaxAttempts: 1 }],
      Catch: [
        { ErrorEquals: ['Other'], Next: 'Wrong' },
        { ErrorEquals: ['Bad'], Next: 'Right' },
        { ErrorEquals: ['States.ALL'], Next: 'Wrong' },
      ],
      Next: 'Wrong',
    });
    const states = {
      A: state,
      Right: { Type: 'Succeed', Output: 'right' },
      Wrong: { Type: 'Succeed', Output: 'wrong' },
    };
    const rig = new Rig({ machine: machine(states), functions: { f: failing(named('Bad'), named('Bad')) } });
    await delays(rig);
    expect((await rig.now()).output).toBe('right');
    expect(rig.calls).toHaveLength(2);
  });
});
