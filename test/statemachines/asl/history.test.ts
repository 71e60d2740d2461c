// The history: event names of GetExecutionHistory, in causal order, derived from the journal.
import { describe, expect, it } from 'vitest';
import { type Json, Rig } from '#test/statemachines/asl/rig.ts';
import { ask, each, gate, machine, named, task } from '#test/statemachines/asl/states.ts';

const task3 = ['TaskScheduled', 'TaskStarted', 'TaskSucceeded'];

describe('the history', () => {
  it('of tasks, choices, waits and a success', async () => {
    const states = {
      A: task('f', { Next: 'C' }),
      C: { Type: 'Choice', Choices: [{ Condition: '{% true %}', Next: 'W' }] },
      W: { Type: 'Wait', Seconds: 1, Next: 'S' },
      S: { Type: 'Succeed' },
    };
    const rig = new Rig({ machine: machine(states), functions: { f: () => 1 } });
    await rig.begin();
    await rig.after(1_000);
    expect(rig.events()).toEqual([
      'ExecutionStarted',
      'TaskStateEntered',
      ...task3,
      'TaskStateExited',
      'ChoiceStateEntered',
      'ChoiceStateExited',
      'WaitStateEntered',
      'WaitStateExited',
      'SucceedStateEntered',
      'SucceedStateExited',
      'ExecutionSucceeded',
    ]);
  });

  it('of a retry, a catch and a failure', async () => {
    const states = {
      A: task('f', {
        Retry: [{ ErrorEquals: ['Bad'], MaxAttempts: 1 }],
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'F' }],
        Next: 'F',
      }),
      F: { Type: 'Fail', Error: 'Own' },
    };
    const f = () => {
      throw named('Bad');
    };
    const rig = new Rig({ machine: machine(states), functions: { f } });
    await rig.begin();
    await rig.after(1_000);
    const failed = ['TaskScheduled', 'TaskStarted', 'TaskFailed'];
    expect(rig.events()).toEqual([
      'ExecutionStarted',
      'TaskStateEntered',
      ...failed,
      ...failed,
      'TaskStateExited',
      'FailStateEntered',
      'ExecutionFailed',
    ]);
    expect(rig.asl.history({ machine: 'm', name: 'x' }).at(-1)).toMatchObject({ error: 'Own' });
  });

  it('of a token: submitted, then answered or timed out', async () => {
    let token = '';
    const f = (payload: Json) => {
      token = String(payload.token);
    };
    const rig = new Rig({ machine: machine({ A: ask('f', { TimeoutSeconds: 5 }) }), functions: { f } });
    await rig.begin({}, 'x');
    const soFar = ['ExecutionStarted', 'TaskStateEntered', 'TaskScheduled', 'TaskStarted', 'TaskSubmitted'];
    expect(rig.events()).toEqual(soFar);
    rig.asl.succeed(token, 1);
    await rig.asl.idle();
    expect(rig.events()).toEqual([...soFar, 'TaskSucceeded', 'TaskStateExited', 'ExecutionSucceeded']);
    await rig.begin({}, 'y');
    await rig.after(5_000, 'y');
    expect(rig.events('y')).toEqual([...soFar, 'TaskTimedOut', 'ExecutionFailed']);
  });

  it('of a Map: each event follows the one before it in its own iteration', async () => {
    const first = gate();
    const f = (payload: Json) => (Number(payload) === 0 ? first.promise : 1);
    const rig = new Rig({ machine: machine({ M: each({ I: task('f') }) }), functions: { f } });
    rig.asl.start({ machine: 'm', name: 'x' }, [0, 1]);
    await new Promise((done) => setImmediate(done));
    rig.clock.advance(10);
    first.open(1);
    await rig.asl.idle();
    const events = rig.asl.history({ machine: 'm', name: 'x' });
    const byId = new Map(events.map((event) => [event.id, event]));
    expect(events.map((event) => event.id)).toEqual(events.map((_, index) => index + 1));
    const chain = (id: number): string[] => {
      const event = byId.get(id);
      return event === undefined ? [] : [...chain(event.previousEventId), event.type];
    };
    for (const index of [0, 1]) {
      const end = events.find((event) => event.type === 'MapIterationSucceeded' && event.index === index);
      expect(chain(end?.id ?? 0)).toEqual([
        'ExecutionStarted',
        'MapStateEntered',
        'MapStateStarted',
        'MapIterationStarted',
        'TaskStateEntered',
        ...task3,
        'TaskStateExited',
        'MapIterationSucceeded',
      ]);
    }
    expect(events.slice(-3).map((event) => event.type)).toEqual([
      'MapStateSucceeded',
      'MapStateExited',
      'ExecutionSucceeded',
    ]);
    const times = events.map((event) => event.timestamp);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('of a failing expression, a stop and a timeout of the whole', async () => {
    const bad = new Rig({
      machine: machine({ A: task('f', { Output: '{% $states.input.gone %}' }) }),
      functions: { f: () => 1 },
    });
    await bad.begin();
    expect(bad.events()).toContain('EvaluationFailed');
    const states = machine({ W: { Type: 'Wait', Seconds: 100, End: true } }, { TimeoutSeconds: 50 });
    const rig = new Rig({ machine: states });
    await rig.begin({}, 'x');
    rig.asl.stop({ machine: 'm', name: 'x' }, 'enough');
    await rig.begin({}, 'y');
    await rig.after(50_000, 'y');
    expect(rig.events('x')).toEqual(['ExecutionStarted', 'ExecutionAborted']);
    expect(rig.events('y').at(-1)).toBe('ExecutionTimedOut');
    expect(rig.events('nobody')).toEqual([]);
  });
});
