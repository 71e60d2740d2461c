// Executions: opened by name, stopped, timed out, announced, listed; nothing is written after close.
import { describe, expect, it } from 'vitest';
import { createAsl } from '#local/asl/create-asl.ts';
import { type Json, migrated, Rig } from '#test/statemachines/asl/rig.ts';
import { ask, each, gate, machine, task } from '#test/statemachines/asl/states.ts';

const waiting = machine({ A: ask('f', { Output: '{% $states.result %}' }) });

function asking(json: Json = waiting) {
  const tokens: string[] = [];
  const f = ({ token }: Json) => {
    tokens.push(String(token));
  };
  return { rig: new Rig({ machine: json, functions: { f } }), tokens };
}

const x = { machine: 'm', name: 'x' };

describe('start by name', () => {
  it('with the same input while open is the same execution, whatever the order of keys', async () => {
    const { rig, tokens } = asking();
    expect(rig.asl.start(x, { a: 1, b: [2] })).toEqual({ kind: 'started' });
    expect(rig.asl.start(x, { b: [2], a: 1 })).toEqual({ kind: 'same' });
    await rig.asl.idle();
    expect(rig.asl.start(x, { a: 1, b: [2] })).toEqual({ kind: 'same' });
    expect(tokens).toHaveLength(1);
    expect(rig.statuses).toEqual(['x RUNNING']);
  });

  it('with other input, or after the end, is refused, also after a restart', async () => {
    const { rig, tokens } = asking();
    const refused = { kind: 'refused', error: 'ExecutionAlreadyExists' };
    await rig.begin({ a: 1 });
    expect(rig.asl.start(x, { a: 2 })).toEqual(refused);
    rig.asl.succeed(tokens[0] ?? '', 1);
    expect((await rig.now()).status).toBe('SUCCEEDED');
    expect(rig.asl.start(x, { a: 1 })).toEqual(refused);
    await rig.restart();
    expect(rig.asl.start(x, { a: 1 })).toEqual(refused);
  });

  it.each([
    [{ machine: 'nobody', name: 'x' }, 'StateMachineDoesNotExist'],
    [{ machine: 'm', name: '' }, 'InvalidName'],
    [{ machine: 'm', name: 'a b' }, 'InvalidName'],
    [{ machine: 'm', name: 'n'.repeat(81) }, 'InvalidName'],
  ])('refuses %j', (execution, error) => {
    expect(asking().rig.asl.start(execution, {})).toEqual({ kind: 'refused', error });
  });

  it('keeps its own copy of the input', async () => {
    const { rig } = asking();
    const input = { a: 1 };
    rig.asl.start(x, input);
    input.a = 2;
    expect((await rig.now()).input).toEqual({ a: 1 });
  });
});

describe('an execution', () => {
  it('tells its status changes once each', async () => {
    const rig = new Rig({ machine: machine({ A: task('f') }), functions: { f: () => 1 } });
    await rig.begin();
    await rig.restart();
    expect(rig.statuses).toEqual(['x RUNNING', 'x SUCCEEDED']);
  });

  it('tells an end again after a crash when the listener had not taken it', async () => {
    const db = migrated();
    const json = { m: machine({ A: { Type: 'Fail', Error: 'E' } }) };
    const base = { db, machines: json, functions: {}, invoke: async () => null };
    const reasons: unknown[] = [];
    const deaf = createAsl({
      ...base,
      onStatus: ({ status }) => {
        if (status === 'FAILED') throw new Error('deaf');
      },
      onSuspended: (_, reason) => reasons.push(reason),
    });
    deaf.start(x, {});
    await deaf.idle();
    await deaf.close();
    expect(reasons).toMatchObject([{ message: 'deaf' }]);
    const heard: string[] = [];
    const next = () => createAsl({ ...base, onStatus: ({ status }) => heard.push(status) });
    next().resume();
    next().resume();
    expect(heard).toEqual(['FAILED']);
  });

  it('is TIMED_OUT at the machine’s TimeoutSeconds, counted from its start across a restart', async () => {
    const { rig, tokens } = asking({ ...waiting, TimeoutSeconds: 40 });
    await rig.begin();
    await rig.after(30_000);
    await rig.restart();
    expect((await rig.after(9_999)).status).toBe('RUNNING');
    expect(await rig.after(1)).toMatchObject({ status: 'TIMED_OUT', error: 'States.Timeout' });
    expect(rig.asl.succeed(tokens[0] ?? '', 1)).toEqual({ ok: false, error: 'TaskTimedOut' });
    expect(rig.statuses.at(-1)).toBe('x TIMED_OUT');
    expect(rig.clock.pending).toBe(0);
  });

  it('is ABORTED by stop, inside a Map too, and nothing of it goes on', async () => {
    const slow = gate();
    const states = { First: task('f', { Next: 'Second' }), Second: task('g') };
    const json = machine({ M: each(states, { Items: [1, 2, 3], MaxConcurrency: 2 }) });
    const rig = new Rig({ machine: json, functions: { f: () => slow.promise, g: () => 1 } });
    rig.asl.start(x, {});
    await new Promise((done) => setImmediate(done));
    expect(rig.asl.stop(x, 'enough')).toEqual({ kind: 'stopped', status: 'ABORTED' });
    slow.open(1);
    expect(await rig.now()).toMatchObject({ status: 'ABORTED', cause: 'enough', states: [] });
    expect(rig.calls).toHaveLength(2);
    expect(rig.asl.stop(x, 'again')).toEqual({ kind: 'ended', status: 'ABORTED' });
    expect(rig.asl.stop({ machine: 'm', name: 'nobody' }, '')).toEqual({ kind: 'unknown' });
    expect(rig.statuses).toEqual(['x RUNNING', 'x ABORTED']);
    await rig.restart();
    expect(rig.calls).toHaveLength(2);
  });

  it('can be stopped before it is resumed', async () => {
    const { rig } = asking();
    await rig.begin();
    await rig.asl.close();
    rig.asl = rig.make();
    rig.asl.stop(x, 'while away');
    rig.asl.resume();
    expect((await rig.now()).status).toBe('ABORTED');
  });

  it('is listed while it is open, with the states it is in', async () => {
    const { rig, tokens } = asking();
    await rig.begin({}, 'a');
    await rig.begin({}, 'b');
    expect(rig.asl.open()).toMatchObject([
      { name: 'a', status: 'RUNNING', states: ['A'] },
      { name: 'b', status: 'RUNNING', states: ['A'] },
    ]);
    rig.asl.succeed(tokens[0] ?? '', 1);
    await rig.asl.idle();
    expect(rig.asl.open().map(({ name }) => name)).toEqual(['b']);
  });

  it('fails with States.Runtime, uncaught, when its state is gone from the machine', async () => {
    const { rig } = asking();
    await rig.begin();
    await rig.asl.close();
    const catching = machine({
      Other: task('f', { Catch: [{ ErrorEquals: ['States.ALL'], Next: 'End' }], Next: 'End' }),
      End: { Type: 'Succeed' },
    });
    const changed = new Rig({ machine: catching, functions: { f: () => 1 }, db: rig.db });
    rig.db.exec("INSERT INTO asl_visits VALUES (1, '', 0, 'A', 'Task', 0, 0, 'Gone', 'null', NULL, NULL)");
    changed.asl.resume();
    expect(await changed.now()).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
  });

  it('stays open, and is reported, when the journal refuses or the machine is not loaded', async () => {
    const { rig, tokens } = asking();
    await rig.begin();
    rig.db.exec("CREATE TRIGGER full BEFORE INSERT ON asl_visits BEGIN SELECT RAISE(ABORT, 'disk is full'); END");
    rig.asl.succeed(tokens[0] ?? '', 'kept');
    expect((await rig.now()).status).toBe('RUNNING');
    expect(rig.suspended).toMatchObject([{ name: 'JournalFault', message: expect.stringContaining('disk is full') }]);
    rig.db.exec('DROP TRIGGER full');
    rig.asl.resume();
    expect(await rig.now()).toMatchObject({ status: 'SUCCEEDED', output: 'kept' });
  });
});

describe('close', () => {
  it('writes no state any more, whatever still returns, and refuses new work', async () => {
    const slow = gate();
    const rig = new Rig({
      machine: machine({ A: task('f', { TimeoutSeconds: 5 }) }),
      functions: { f: () => slow.promise },
    });
    rig.asl.start(x, {});
    await new Promise((done) => setImmediate(done));
    await rig.asl.close();
    const before = rig.db.prepare('SELECT total_changes() AS n').get();
    slow.open(1);
    rig.clock.advance(60_000);
    await new Promise((done) => setImmediate(done));
    expect(rig.db.prepare('SELECT total_changes() AS n').get()).toEqual(before);
    expect(rig.clock.pending).toBe(0);
    expect(() => rig.asl.start(x, {})).toThrow('closed');
    expect(rig.asl.describe(x)?.status).toBe('RUNNING');
  });
});
