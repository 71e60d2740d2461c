// Small machines, one for each thing that AWS documents about Step Functions and that ours rely on. Functions in them are stubs:
// `well` returns its payload, `throws` throws HcaConflict, `asks` leaves its token with the test, `slow` takes two seconds, `dies` ends its
// process, `commands` answers which of the commands it is given are on its PATH; the others are called by a socket and by rules.
import { ask, each, machine, task } from '#test/statemachines/asl/states.ts';
import type { Json } from './stub-stack.ts';

export const STUBS = ['well', 'throws', 'asks', 'slow', 'commands', 'connects', 'dies', 'breaks', 'hears'] as const;

const caught = (...ErrorEquals: string[]): Json => ({
  Catch: [{ ErrorEquals, Next: 'Caught', Output: '{% $states.errorOutput.Error %}' }],
  Next: 'Gone',
});
const ENDS = { Caught: { Type: 'Succeed' }, Gone: { Type: 'Succeed' } };
const then = (name: string, more: Json): Json => task(name, more, {});

const COMMANDS = ['git', 'npm', 'npx', 'python', 'python3', 'sh', 'node'];

export const PROBE_MACHINES = {
  commands: machine({ A: task('commands', { Output: '{% $states.result.Payload %}' }, COMMANDS) }),
  redrives: machine({ A: then('well', { Output: '{% $states.context.Execution.RedriveCount %}' }) }),
  expression: machine({
    A: ask('asks', { ...caught('States.Timeout'), TimeoutSeconds: '{% $max([1, 0]) %}' }),
    ...ENDS,
  }),
  names: machine({ A: then('throws', caught('HcaConflict')), ...ENDS }),
  death: machine({ A: then('dies', caught('Runtime.ExitError')), ...ENDS }),
  timeout: machine({ A: then('slow', { ...caught('States.Timeout'), TimeoutSeconds: 1 }), ...ENDS }),
  nothing: machine({
    A: then('well', { ...caught('States.QueryEvaluationError'), Output: '{% $states.input.no %}' }),
    ...ENDS,
  }),
  scopes: machine({
    A: then('well', { Assign: { x: 'outer' }, Next: 'B' }),
    B: each(
      { I: task('well', { Assign: { y: '{% $states.input %}' }, Output: '{% $x & $states.result.Payload %}' }) },
      { Items: "{% ['1', '2', '3'] %}" },
    ),
  }),
  single: machine({
    A: each({ I: task('well', { Output: '{% $states.result.Payload %}' }) }, { Items: "{% ['one'] %}" }),
  }),
  waits: machine({ A: ask('asks', { TimeoutSeconds: 30, Output: '{% $states.result %}' }) }),
  failing: machine({ A: ask('throws', { ...caught('HcaConflict'), TimeoutSeconds: 1 }), ...ENDS }),
  tokens: machine({
    A: ask('asks', { TimeoutSeconds: 1, Retry: [{ ErrorEquals: ['States.Timeout'], MaxAttempts: 1 }] }),
  }),
  together: machine({
    A: then('well', { Assign: { a: 1, b: 1 }, Next: 'B' }),
    B: then('well', { Assign: { a: '{% $b + 1 %}', b: '{% $a + 10 %}' }, Next: 'C' }),
    C: then('well', { Output: ['{% $a %}', '{% $b %}'] }),
  }),
  large: machine({ A: then('well', { ...caught('States.ALL'), Output: "{% $pad('', 300000, 'x') %}" }), ...ENDS }),
} as const satisfies Record<string, Json>;
