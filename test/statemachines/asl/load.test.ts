// What the loader refuses: everything it does not know, with the path and a remedy, and never silently.
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { loadMachine } from '#local/asl/load.ts';
import { AslDefinitionError } from '#local/asl/problems.ts';
import type { Json } from '#test/statemachines/asl/rig.ts';
import { ask, each, machine, task } from '#test/statemachines/asl/states.ts';

const validate = createRequire(import.meta.url)('asl-validator') as (json: unknown) => { isValid: boolean };

const functions = { f: 'the-function' };
const load = (json: unknown) => loadMachine({ name: 'm', json, functions });

function problemsOf(json: unknown): string {
  try {
    load(json);
    return 'none';
  } catch (thrown) {
    if (thrown instanceof AslDefinitionError) return thrown.problems.join('\n');
    throw thrown;
  }
}

const everything = machine(
  {
    First: task('f', {
      Comment: 'a call',
      TimeoutSeconds: 5,
      Retry: [
        {
          ErrorEquals: ['A', 'States.Timeout'],
          IntervalSeconds: 2,
          MaxAttempts: 4,
          BackoffRate: 1.5,
          MaxDelaySeconds: 9,
          JitterStrategy: 'FULL',
        },
        { ErrorEquals: ['States.ALL'] },
      ],
      Catch: [
        { ErrorEquals: ['States.ALL'], Next: 'Bad', Assign: { why: '{% $states.errorOutput.Error %}' }, Output: 1 },
      ],
      Assign: { list: '{% $states.result.Payload %}' },
      Next: 'Which',
    }),
    Which: {
      Type: 'Choice',
      Choices: [{ Condition: '{% $list = [] %}', Next: 'Good', Output: {} }],
      Default: 'Pause',
      Assign: { n: 1 },
    },
    Pause: { Type: 'Wait', Seconds: '{% 1 + 1 %}', Next: 'Until' },
    Until: { Type: 'Wait', Timestamp: '2030-01-01T00:00:00Z', Next: 'All' },
    All: each(
      { Inner: ask('f', { HeartbeatSeconds: 5 }) },
      {
        Items: '{% $list %}',
        MaxConcurrency: 2,
        ItemSelector: { at: '{% $states.context.Map.Item.Index %}' },
        Next: 'Good',
      },
    ),
    Good: { Type: 'Succeed', Output: '{% $n %}' },
    Bad: { Type: 'Fail', Error: '{% $why %}', Cause: 'no' },
  },
  { Comment: 'everything we allow', TimeoutSeconds: 60, Version: '1.0' },
);

/** A copy with one thing changed: `State.Field` = value. */
function changed(path: string, value: unknown): Json {
  const copy = structuredClone(everything) as Json;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let at: Json = copy;
  for (const key of keys) at = at[key] as Json;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

describe('loading', () => {
  it('takes everything of the subset at once, as Step Functions would', () => {
    expect(problemsOf(everything)).toBe('none');
    expect(validate(everything)).toMatchObject({ isValid: true });
  });

  it('replaces ${name} by the function of that name', () => {
    expect(load(everything).graph.states.get('First')).toMatchObject({ functionName: 'the-function' });
  });

  const S = 'States';
  it.each([
    ['Surprise', 1, 'unknown field Surprise'],
    ['QueryLanguage', undefined, 'QueryLanguage: use "JSONata"'],
    ['QueryLanguage', 'JSONPath', 'QueryLanguage: use "JSONata"'],
    [`${S}.First.InputPath`, '$', 'States.First: unknown field InputPath'],
    [`${S}.First.ResultSelector`, {}, 'States.First: unknown field ResultSelector'],
    [`${S}.First.Credentials`, {}, 'States.First: unknown field Credentials'],
    [`${S}.First.TimeoutSecondsPath`, '$.t', 'States.First: unknown field TimeoutSecondsPath'],
    [`${S}.First.Resource`, 'arn:aws:states:::sqs:sendMessage', 'States.First.Resource: use'],
    [`${S}.First.Arguments.Qualifier`, '1', 'States.First.Arguments: unknown field Qualifier'],
    [`${S}.First.Arguments.FunctionName`, '${nobody}', '${nobody} stands for no function'],
    [`${S}.First.Arguments.FunctionName`, '{% "f" %}', 'fixed at load'],
    [`${S}.First.Arguments.Payload`, { 'a.$': '$.b' }, 'JSONPath is not known'],
    [`${S}.First.Arguments.Payload`, '{% $states.result %}', '$states.result does not exist here'],
    [`${S}.First.Arguments.Payload`, '{% $lst %}', '$lst is assigned nowhere'],
    [`${S}.First.Arguments.Payload`, '{% $eval("1") %}', '$eval is not allowed'],
    [`${S}.First.Arguments.Payload`, '{% $list ?? 1 %}', 'knows neither'],
    [`${S}.First.Arguments.Payload`, '{% $list ?: 1 %}', 'knows neither'],
    [`${S}.First.Arguments.Payload`, '{% $list', 'starts with {% and ends with %}'],
    [`${S}.First.HeartbeatSeconds`, 3, 'only a state that waits for a token'],
    [`${S}.First.TimeoutSeconds`, 0, 'expected number to be >=1'],
    [`${S}.First.TimeoutSeconds`, 1.5, 'whole seconds from 1'],
    [`${S}.First.Retry.0.Surprise`, 1, 'States.First.Retry[0]: unknown field Surprise'],
    [`${S}.First.Retry.0.JitterStrategy`, 'HALF', 'States.First.Retry[0].JitterStrategy: use "FULL" or "NONE"'],
    [`${S}.First.Retry.0.BackoffRate`, 0.5, 'States.First.Retry[0].BackoffRate'],
    [`${S}.First.Retry.0.ErrorEquals`, ['States.Runtime'], 'States.Runtime cannot be matched'],
    [`${S}.First.Retry.0.ErrorEquals`, ['States.ALL'], 'States.ALL stands alone and in the last entry'],
    [`${S}.First.Retry.1.ErrorEquals`, ['States.ALL', 'A'], 'States.ALL stands alone'],
    [`${S}.First.Catch.0.Next`, 'Nowhere', 'goes to "Nowhere"'],
    [`${S}.First.Catch.0.ResultPath`, '$', 'States.First.Catch[0]: unknown field ResultPath'],
    [`${S}.First.Next`, 'Nowhere', 'goes to "Nowhere"'],
    [`${S}.First.End`, true, 'exactly one of "Next"'],
    [`${S}.First.Assign`, { states: 1 }, 'is no name for a variable'],
    [`${S}.First.Type`, 'Pass', 'unknown state type; use Task, Choice, Map, Wait, Succeed or Fail'],
    [`${S}.Which.Choices.0.Variable`, '$.x', 'States.Which.Choices[0]: unknown field Variable'],
    [`${S}.Which.Choices`, [], 'States.Which.Choices'],
    [`${S}.Which.Default`, undefined, 'belong to its Default'],
    [`${S}.Which.Next`, 'Good', 'States.Which: unknown field Next'],
    [`${S}.Pause.Timestamp`, '2030-01-01T00:00:00Z', 'exactly one of Seconds and Timestamp'],
    [`${S}.Pause.SecondsPath`, '$.x', 'unknown field SecondsPath'],
    [`${S}.Until.Timestamp`, 'soon', 'States.Until.Timestamp'],
    [`${S}.All.Iterator`, {}, 'States.All: unknown field Iterator'],
    [`${S}.All.TimeoutSeconds`, 3, 'States.All: unknown field TimeoutSeconds'],
    [`${S}.All.ToleratedFailureCount`, 3, 'States.All: unknown field ToleratedFailureCount'],
    [`${S}.All.ItemProcessor.ProcessorConfig.Mode`, 'DISTRIBUTED', 'ProcessorConfig.Mode: use "INLINE"'],
    [
      `${S}.All.ItemProcessor.States.Inner.TimeoutSeconds`,
      undefined,
      'ItemProcessor.States.Inner.TimeoutSeconds: is missing',
    ],
    [`${S}.All.ItemProcessor.States.Inner.Arguments.Payload`, {}, 'passes no token'],
    [`${S}.All.ItemProcessor.States.Inner.Assign`, { n: 2 }, 'belongs to an outer scope'],
    [
      `${S}.All.ItemProcessor.States.Inner.Surprise`,
      2,
      'States.All.ItemProcessor.States.Inner: unknown field Surprise',
    ],
    [`${S}.All.ItemProcessor.StartAt`, 'Outer', 'there is no state "Outer"'],
    [`${S}.Good.Next`, 'Bad', 'States.Good: unknown field Next'],
    [`${S}.Bad.Output`, 1, 'States.Bad: unknown field Output'],
    ['StartAt', 'Nowhere', 'there is no state "Nowhere"'],
    ['TimeoutSeconds', '{% 1 %}', 'TimeoutSeconds'],
  ])('refuses %s = %j', (path, value, sentence) => {
    expect(problemsOf(changed(path, value))).toContain(sentence);
  });

  it('finds unreachable states, states without an end, machines without one, and names used twice', () => {
    const end = task('f');
    expect(problemsOf(machine({ A: end, Lost: end }))).toContain('States.Lost: is never reached');
    const loop = { A: task('f', { Next: 'B' }), B: task('f', { Next: 'A' }) };
    expect(problemsOf(machine(loop))).toContain('no state ends');
    const trap = { Type: 'Choice', Choices: [{ Condition: '{% true %}', Next: 'T' }], Default: 'B' };
    expect(problemsOf(machine({ A: trap, B: end, T: task('f', { Next: 'T' }) }))).toContain(
      'T: can never come to an end',
    );
    expect(problemsOf(machine({ A: each({ A: end }) }))).toContain('the name is used twice');
  });

  it('lets inner scopes read outer variables but not outer scopes inner ones', () => {
    const inner = task('f', { Assign: { inside: 1 } }, '{% $outside %}');
    const states = {
      A: task('f', { Assign: { outside: 1 }, Next: 'M' }),
      M: each({ I: inner }, { Output: '{% $inside %}' }),
    };
    expect(problemsOf(machine(states))).toBe(
      'States.M.Output: $inside is assigned nowhere in this scope; add it to an Assign or correct the name',
    );
  });

  it('names every problem at once and throws nothing else on nonsense', () => {
    for (const nonsense of [null, 1, 'x', [], {}, { States: 1 }]) expect(problemsOf(nonsense)).not.toBe('none');
    const both = machine({ A: task('f', { Foo: 1 }), B: { Type: 'Parallel' } });
    expect(problemsOf(both)).toMatch(/States\.A: unknown field Foo[\s\S]*States\.B\.Type: unknown state type/);
  });
});
