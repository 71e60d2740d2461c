// Each kind of state on its named paths: inputs, outputs, variables, choices, waits, ends.
import { describe, expect, it } from 'vitest';
import { Rig, START } from '#test/statemachines/asl/rig.ts';
import { gate, machine, task } from '#test/statemachines/asl/states.ts';

describe('Task', () => {
  it('passes the payload and yields the shape of Lambda invoke', async () => {
    const rig = new Rig({
      machine: machine({ A: task('f') }),
      functions: { f: ({ n }) => ({ twice: Number(n) * 2 }) },
    });
    const execution = await rig.begin({ n: 21 });
    expect(execution).toMatchObject({ status: 'SUCCEEDED', error: null });
    expect(execution.output).toEqual({ ExecutedVersion: '$LATEST', Payload: { twice: 42 }, StatusCode: 200 });
    expect(rig.calls).toEqual([{ name: 'f', payload: { n: 21 } }]);
  });

  it('has no payload: {}; no result: null', async () => {
    const call = { ...task('f'), Arguments: { FunctionName: '${f}' } };
    const rig = new Rig({ machine: machine({ A: call }), functions: { f: () => undefined } });
    expect((await rig.begin()).output).toMatchObject({ Payload: null });
    expect(rig.calls[0]?.payload).toEqual({});
  });

  it('computes Output and Assign side by side from the old variables', async () => {
    const states = {
      A: task('f', { Assign: { n: 1, m: 10 }, Output: 'a', Next: 'B' }),
      B: task('f', { Assign: { n: '{% $n + 1 %}', m: '{% $n %}' }, Output: '{% $n %}', Next: 'C' }),
      C: { Type: 'Succeed', Output: { from: '{% $states.input %}', n: '{% $n %}', m: '{% $m %}' } },
    };
    const rig = new Rig({ machine: machine(states), functions: { f: () => null } });
    expect((await rig.begin()).output).toEqual({ from: 1, n: 2, m: 1 });
  });

  it('shares nothing with the function: neither side can change what the other holds', async () => {
    const kept: Record<string, unknown> = { value: 1 };
    const states = {
      A: task('f', { Output: '{% $states.result.Payload %}', Next: 'B' }),
      B: task('g', { Output: '{% $states.input %}' }),
    };
    const g = (payload: Record<string, unknown>) => {
      payload.value = 'spoilt';
      kept.value = 'spoilt';
    };
    const rig = new Rig({ machine: machine(states), functions: { f: () => kept, g } });
    expect((await rig.begin()).output).toEqual({ value: 1 });
  });

  it('sees the context object', async () => {
    const rig = new Rig({ machine: machine({ A: task('f', {}, '{% $states.context %}') }), functions: { f: () => 1 } });
    await rig.begin({ in: 1 });
    const time = new Date(START).toISOString();
    expect(rig.calls[0]?.payload).toEqual({
      Execution: {
        Id: 'arn:aws:states:local:000000000000:execution:m:x',
        Name: 'x',
        Input: { in: 1 },
        StartTime: time,
        RedriveCount: 0,
      },
      StateMachine: { Id: 'arn:aws:states:local:000000000000:stateMachine:m', Name: 'm' },
      State: { Name: 'A', EnteredTime: time, RetryCount: 0 },
    });
  });

  it('fails with States.QueryEvaluationError where an expression yields nothing', async () => {
    const rig = new Rig({
      machine: machine({ A: task('f', {}, '{% $states.input.gone %}') }),
      functions: { f: () => 1 },
    });
    expect(await rig.begin()).toMatchObject({ status: 'FAILED', error: 'States.QueryEvaluationError' });
    expect(rig.calls).toEqual([]);
  });

  it('times out after TimeoutSeconds, which may be computed, and drops a late result', async () => {
    const late = gate();
    const states = { A: task('f', { TimeoutSeconds: '{% $states.input.limit %}' }) };
    const rig = new Rig({ machine: machine(states), functions: { f: () => late.promise } });
    rig.asl.start({ machine: 'm', name: 'x' }, { limit: 5 });
    await new Promise((done) => setImmediate(done));
    rig.clock.advance(4_999);
    expect(rig.asl.describe({ machine: 'm', name: 'x' })?.status).toBe('RUNNING');
    expect(await rig.after(1)).toMatchObject({ status: 'FAILED', error: 'States.Timeout' });
    late.open(1);
    expect((await rig.now()).status).toBe('FAILED');
    expect(rig.clock.pending).toBe(0);
  });

  it.each([0, 1.5, 'soon', 100_000_000])('refuses %j as a computed timeout', async (limit) => {
    const states = { A: task('f', { TimeoutSeconds: '{% $states.input.limit %}' }) };
    const rig = new Rig({ machine: machine(states), functions: { f: () => 1 } });
    expect(await rig.begin({ limit })).toMatchObject({ error: 'States.QueryEvaluationError' });
  });
});

describe('Choice', () => {
  const states = {
    Which: {
      Type: 'Choice',
      Choices: [
        { Condition: "{% $states.input.word = 'left' %}", Next: 'End', Output: 'L', Assign: { by: 'rule' } },
        { Condition: '{% $states.input.n > 3 %}', Next: 'End' },
        { Condition: '{% $states.input.odd %}', Next: 'End' },
      ],
      Default: 'End',
      Output: 'D',
      Assign: { by: 'default' },
    },
    End: { Type: 'Succeed', Output: { got: '{% $states.input %}', by: '{% $exists($by) ? $by : "nobody" %}' } },
  };
  const run = async (input: unknown) => await new Rig({ machine: machine(states) }).begin(input);

  it('takes the first rule that holds, with that rule’s Output and Assign', async () => {
    expect((await run({ word: 'left', n: 9, odd: false })).output).toEqual({ got: 'L', by: 'rule' });
  });

  it('passes its input on where the rule has no Output, and not the state’s own', async () => {
    const input = { word: '', n: 9, odd: false };
    expect((await run(input)).output).toEqual({ got: input, by: 'nobody' });
  });

  it('takes Default with the state’s own Output and Assign', async () => {
    expect((await run({ word: '', n: 1, odd: false })).output).toEqual({ got: 'D', by: 'default' });
  });

  it('fails where a condition is neither true nor false', async () => {
    expect((await run({ word: '', n: 1, odd: 'yes' })).error).toBe('States.QueryEvaluationError');
  });

  it('fails with States.NoChoiceMatched without a Default', async () => {
    const one = { Type: 'Choice', Choices: [{ Condition: '{% false %}', Next: 'End' }] };
    const rig = new Rig({ machine: machine({ One: one, End: { Type: 'Succeed' } }) });
    expect((await rig.begin()).error).toBe('States.NoChoiceMatched');
  });
});

describe('Wait, Succeed and Fail', () => {
  it.each([
    ['Seconds', 10],
    ['Seconds', '{% $states.input.wait %}'],
    ['Timestamp', new Date(START + 10_000).toISOString()],
    ['Timestamp', '{% $fromMillis($millis() + 10000) %}'],
  ])('waits for %s = %j and passes its input on', async (field, value) => {
    const states = { W: { Type: 'Wait', [field]: value, Next: 'End' }, End: { Type: 'Succeed' } };
    const rig = new Rig({ machine: machine(states) });
    expect((await rig.begin({ wait: 10 })).states).toEqual(['W']);
    expect((await rig.after(9_999)).status).toBe('RUNNING');
    expect(await rig.after(1)).toMatchObject({ status: 'SUCCEEDED', output: { wait: 10 } });
  });

  it('does not wait for a time that has passed', async () => {
    const states = { W: { Type: 'Wait', Timestamp: '2001-01-01T00:00:00Z', End: true } };
    expect((await new Rig({ machine: machine(states) }).begin()).status).toBe('SUCCEEDED');
  });

  it.each([
    ['Seconds', '{% -1 %}'],
    ['Timestamp', '{% "soon" %}'],
  ])('fails where %s is %j', async (field, value) => {
    const rig = new Rig({ machine: machine({ W: { Type: 'Wait', [field]: value, End: true } }) });
    expect((await rig.begin()).error).toBe('States.QueryEvaluationError');
  });

  it('fails with the error and the cause that Fail names', async () => {
    const fail = { Type: 'Fail', Error: '{% $states.input.word %}', Cause: 'because' };
    const rig = new Rig({ machine: machine({ F: fail }) });
    expect(await rig.begin({ word: 'Own.Error' })).toMatchObject({
      status: 'FAILED',
      error: 'Own.Error',
      cause: 'because',
    });
  });
});
