// Task tokens: answered before or after the function returned, twice, late, never, by heartbeats, across retries.
import { describe, expect, it } from 'vitest';
import { type Json, Rig } from '#test/statemachines/asl/rig.ts';
import { ask, gate, machine, named } from '#test/statemachines/asl/states.ts';

const yields = { Output: '{% $states.result %}' };

/** A rig whose function keeps the tokens it is handed; `f` says what the call itself does. */
function asking(more: Json = {}, f: (token: string) => unknown = () => undefined) {
  const tokens: string[] = [];
  const rig: Rig = new Rig({
    machine: machine({ A: ask('f', { ...yields, ...more }) }),
    functions: {
      f: ({ token }) => {
        tokens.push(String(token));
        return f(String(token));
      },
    },
  });
  return { rig, tokens, token: () => tokens.at(-1) ?? '' };
}

describe('a task token', () => {
  it('waits after the function has returned, whatever that returned', async () => {
    const { rig, token } = asking({}, () => 'ignored');
    expect((await rig.begin()).status).toBe('RUNNING');
    expect(rig.asl.succeed(token(), { answer: 1 })).toEqual({ ok: true });
    expect(await rig.now()).toMatchObject({ status: 'SUCCEEDED', output: { answer: 1 } });
    expect(rig.clock.pending).toBe(0);
  });

  it('can be answered while the function still runs', async () => {
    const slow = gate();
    const { rig, token } = asking({}, () => slow.promise);
    rig.asl.start({ machine: 'm', name: 'x' }, {});
    await new Promise((done) => setImmediate(done));
    expect(rig.asl.succeed(token(), 'early')).toEqual({ ok: true });
    expect((await rig.now()).output).toBe('early');
    slow.fail(named('TooLate'));
    expect((await rig.now()).status).toBe('SUCCEEDED');
  });

  it('can be answered from within the function, before the call has returned', async () => {
    const { rig } = asking({}, (token) => rig.asl.succeed(token, 'inside'));
    expect((await rig.begin()).output).toBe('inside');
  });

  it('fails the state with the error given', async () => {
    const { rig, token } = asking();
    await rig.begin();
    rig.asl.fail(token(), 'Refused', 'because');
    expect(await rig.now()).toMatchObject({ status: 'FAILED', error: 'Refused', cause: 'because' });
  });

  it('is answered once: the second answer is too late, the first stands', async () => {
    const { rig, token } = asking();
    await rig.begin();
    rig.asl.succeed(token(), 'first');
    expect(rig.asl.succeed(token(), 'second')).toEqual({ ok: false, error: 'TaskTimedOut' });
    expect(rig.asl.fail(token(), 'E', 'c')).toEqual({ ok: false, error: 'TaskTimedOut' });
    expect((await rig.now()).output).toBe('first');
  });

  it('that nobody issued does not exist', async () => {
    const { rig } = asking();
    await rig.begin();
    for (const token of ['', 'x', 'A'.repeat(2_000)]) {
      expect(rig.asl.succeed(token, 1)).toEqual({ ok: false, error: 'TaskDoesNotExist' });
      expect(rig.asl.heartbeat(token)).toEqual({ ok: false, error: 'TaskDoesNotExist' });
    }
  });

  it('lapses at TimeoutSeconds: States.Timeout, and a late answer is refused', async () => {
    const { rig, token } = asking({ TimeoutSeconds: 30 });
    await rig.begin();
    expect((await rig.after(29_999)).status).toBe('RUNNING');
    rig.clock.advance(1);
    expect(rig.asl.succeed(token(), 1), 'in the same moment').toEqual({ ok: false, error: 'TaskTimedOut' });
    expect(await rig.now()).toMatchObject({ status: 'FAILED', error: 'States.Timeout' });
  });

  it('lapses without heartbeats: States.HeartbeatTimeout', async () => {
    const { rig, token } = asking({ TimeoutSeconds: 60, HeartbeatSeconds: 10 });
    await rig.begin();
    await rig.after(9_000);
    expect(rig.asl.heartbeat(token())).toEqual({ ok: true });
    expect((await rig.after(9_999)).status).toBe('RUNNING');
    expect(await rig.after(1)).toMatchObject({ status: 'FAILED', error: 'States.HeartbeatTimeout' });
  });

  it('dies with a failed call, and the retry has a new one', async () => {
    let fails = true;
    const { rig, tokens, token } = asking({ Retry: [{ ErrorEquals: ['Busy'] }] }, () => {
      if (fails) throw named('Busy');
    });
    await rig.begin();
    expect(rig.asl.succeed(token(), 1)).toEqual({ ok: false, error: 'TaskTimedOut' });
    fails = false;
    await rig.after(1_000);
    expect(new Set(tokens).size).toBe(2);
    rig.asl.succeed(token(), 'second');
    expect((await rig.now()).output).toBe('second');
  });

  it('cannot be guessed: 192 random bits, never the same', async () => {
    const { rig, tokens } = asking();
    for (let index = 0; index < 50; index += 1) await rig.begin({}, `n${index}`);
    expect(new Set(tokens).size).toBe(50);
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{32}$/);
  });

  it('survives a restart with its first deadline, and the function is not called again', async () => {
    const { rig, tokens, token } = asking({ TimeoutSeconds: 30 });
    await rig.begin();
    await rig.after(20_000);
    await rig.restart();
    expect(tokens).toHaveLength(1);
    expect((await rig.after(9_999)).status).toBe('RUNNING');
    expect((await rig.after(1)).error).toBe('States.Timeout');
    expect(rig.asl.succeed(token(), 1)).toEqual({ ok: false, error: 'TaskTimedOut' });
  });

  it('survives a restart before the function returned: called again with the same token', async () => {
    const { rig, tokens, token } = asking({}, () => gate().promise);
    rig.asl.start({ machine: 'm', name: 'x' }, {});
    await new Promise((done) => setImmediate(done));
    await rig.asl.close();
    rig.asl = rig.make();
    rig.asl.resume();
    await new Promise((done) => setImmediate(done));
    expect(tokens).toHaveLength(2);
    expect(tokens[0]).toBe(tokens[1]);
    rig.asl.succeed(token(), 'after');
    expect((await rig.now()).output).toBe('after');
  });

  it('can be answered after a restart, before resume', async () => {
    const { rig, token } = asking();
    await rig.begin();
    await rig.asl.close();
    rig.asl = rig.make();
    expect(rig.asl.succeed(token(), 'between')).toEqual({ ok: true });
    rig.asl.resume();
    expect((await rig.now()).output).toBe('between');
  });

  it('is refused by a closed runner with an exception, so that the answer is delivered again', async () => {
    const { rig, token } = asking();
    await rig.begin();
    await rig.asl.close();
    expect(() => rig.asl.succeed(token(), 1)).toThrow('closed');
  });
});

describe('an answer that comes while a restart is under way', () => {
  it('is heard at whatever step of the resuming it comes', async () => {
    for (let turns = 0; turns < 30; turns += 1) {
      const { rig, token } = asking();
      await rig.begin();
      await rig.asl.close();
      rig.asl = rig.make();
      rig.asl.resume();
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      expect(rig.asl.succeed(token(), 'heard')).toEqual({ ok: true });
      expect((await rig.now()).output, `after ${turns} turns`).toBe('heard');
    }
  });

  it('finds the failure of an attempt whose consequences were not written yet', async () => {
    const { rig, tokens, token } = asking({}, () => {
      throw named('Busy');
    });
    rig.db.exec("CREATE TRIGGER full BEFORE INSERT ON asl_visits BEGIN SELECT RAISE(ABORT, 'disk is full'); END");
    await rig.begin();
    rig.db.exec('DROP TRIGGER full');
    await rig.restart();
    expect(rig.asl.succeed(token(), 1)).toEqual({ ok: false, error: 'TaskTimedOut' });
    expect(await rig.now()).toMatchObject({ status: 'FAILED', error: 'Busy' });
    expect(tokens).toHaveLength(1);
  });
});
