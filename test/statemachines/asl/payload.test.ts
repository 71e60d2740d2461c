// Sizes: what is above 262,144 bytes never passes between states (pitfall 23).
import { describe, expect, it } from 'vitest';
import { Rig } from '#test/statemachines/asl/rig.ts';
import { machine, task } from '#test/statemachines/asl/states.ts';

describe('payloads above 262,144 bytes', () => {
  const big = 'ü'.repeat(131_072);
  const states = {
    A: task('f', {
      Output: '{% $states.result.Payload %}',
      Catch: [{ ErrorEquals: ['States.ALL'], Next: 'B' }],
      Next: 'B',
    }),
    B: { Type: 'Succeed' },
  };

  it('fail with States.DataLimitExceeded, which States.ALL does not catch', async () => {
    const rig = new Rig({ machine: machine(states), functions: { f: () => big } });
    expect(await rig.begin()).toMatchObject({ status: 'FAILED', error: 'States.DataLimitExceeded' });
  });

  it('are counted in bytes: exactly the limit passes', async () => {
    const rig = new Rig({ machine: machine(states), functions: { f: () => big.slice(1) } });
    expect((await rig.begin()).status).toBe('SUCCEEDED');
  });

  it('are refused as input and as the answer to a token', async () => {
    const rig = new Rig({ machine: machine({ A: task('f') }), functions: { f: () => 1 } });
    expect(rig.asl.start({ machine: 'm', name: 'x' }, big)).toEqual({
      kind: 'refused',
      error: 'InvalidExecutionInput',
    });
    expect(rig.asl.succeed('any', big)).toEqual({ ok: false, error: 'InvalidOutput' });
  });
});
