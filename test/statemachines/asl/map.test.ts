// Map: really concurrent up to MaxConcurrency and never above, scopes, order, failures, retries.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HandClock, type Json, Rig } from '#test/statemachines/asl/rig.ts';
import { ask, each, gate, machine, named, task } from '#test/statemachines/asl/states.ts';

const inner = { Call: task('f', { Output: '{% $states.result.Payload %}' }, '{% $states.input %}') };
const over = (more: Json, states: Json = inner) =>
  machine({ M: each(states, { Items: '{% $states.input.items %}', ...more }) });

/** Calls that stay open until the test opens their gate; knows how many were open at once. */
function gated() {
  const open: { payload: unknown; release: (value: unknown) => void; fail: (error: Error) => void }[] = [];
  let most = 0;
  const f = async (payload: unknown) => {
    const { promise, open: release, fail } = gate();
    open.push({ payload, release, fail });
    most = Math.max(most, open.length);
    return await promise;
  };
  return { f, open, most: () => most };
}

const turn = () => new Promise((done) => setImmediate(done));

describe('Map', () => {
  it('runs exactly MaxConcurrency iterations at once and keeps the order of the items', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 5 }),
        fc.nat(),
        async (count, width, pick) => {
          const calls = gated();
          const rig = new Rig({ machine: over({ MaxConcurrency: width }), functions: { f: calls.f } });
          const items = Array.from({ length: count }, (_, index) => index);
          rig.asl.start({ machine: 'm', name: 'x' }, { items });
          for (let left = count; left > 0; left -= 1) {
            await turn();
            expect(calls.open).toHaveLength(Math.min(width, left));
            const [call] = calls.open.splice(pick % calls.open.length, 1);
            call?.release(`item ${call.payload}`);
          }
          expect((await rig.now()).output).toEqual(items.map((item) => `item ${item}`));
          expect(calls.most()).toBe(Math.min(width, count));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('without MaxConcurrency is 40 wide, as inline Maps of Step Functions are', async () => {
    const calls = gated();
    const rig = new Rig({ machine: over({}), functions: { f: calls.f } });
    rig.asl.start({ machine: 'm', name: 'x' }, { items: Array.from({ length: 50 }, (_, index) => index) });
    await turn();
    expect(calls.open).toHaveLength(40);
    await rig.asl.close();
  });

  it('takes the width from an expression, items from an array with expressions, or the input itself', async () => {
    const echo = { f: (payload: unknown) => payload };
    const computed = over({ Items: [1, '{% $states.input.two %}'], MaxConcurrency: '{% $states.input.width %}' });
    expect((await new Rig({ machine: computed, functions: echo }).begin({ two: 2, width: 1 })).output).toEqual([1, 2]);
    const bare = machine({ M: each(inner) });
    expect((await new Rig({ machine: bare, functions: echo }).begin(['a'])).output).toEqual(['a']);
  });

  it.each([
    [{ Items: '{% $states.input %}' }, 'Items must be an array'],
    [{ Items: [1], MaxConcurrency: '{% 1.5 %}' }, 'MaxConcurrency must be a whole number'],
    [{ Items: [1], MaxConcurrency: '{% -1 %}' }, 'MaxConcurrency must be a whole number'],
  ])('refuses %j', async (more, sentence) => {
    const execution = await new Rig({ machine: over(more), functions: { f: () => 1 } }).begin({});
    expect(execution).toMatchObject({ error: 'States.QueryEvaluationError', cause: expect.stringContaining(sentence) });
  });

  it('builds each input with ItemSelector and shows item and index inside', async () => {
    const selector = { at: '{% $states.context.Map.Item.Index %}', of: '{% $states.context.Map.Item.Value & "!" %}' };
    const states = {
      Call: task(
        'f',
        { Output: '{% $states.result.Payload %}' },
        { in: '{% $states.input %}', again: '{% $states.context.Map.Item.Value %}' },
      ),
    };
    const rig = new Rig({ machine: over({ ItemSelector: selector }, states), functions: { f: (payload) => payload } });
    expect((await rig.begin({ items: ['a', 'b'] })).output).toEqual([
      { in: { at: 0, of: 'a!' }, again: 'a' },
      { in: { at: 1, of: 'b!' }, again: 'b' },
    ]);
  });

  it('gives iterations the outer variables and variables of their own', async () => {
    const states = {
      Set: task('f', { Assign: { base: 10 }, Output: { items: [1, 2] }, Next: 'M' }),
      M: each(
        {
          One: task('f', { Assign: { mine: '{% $states.input + $base %}' }, Next: 'Two' }),
          Two: { Type: 'Succeed', Output: '{% $mine %}' },
        },
        { Items: '{% $states.input.items %}', Assign: { sum: '{% $sum($states.result) %}' }, Next: 'End' },
      ),
      End: { Type: 'Succeed', Output: '{% $sum + $base %}' },
    };
    const rig = new Rig({ machine: machine(states), functions: { f: () => null } });
    expect((await rig.begin()).output).toBe(33);
  });

  it('nests', async () => {
    const nested = machine({ M: each({ N: each(inner) }) });
    const rig = new Rig({ machine: nested, functions: { f: (payload) => payload } });
    expect((await rig.begin([[1, 2], [], [3]])).output).toEqual([[1, 2], [], [3]]);
  });

  it('fails with the first failing iteration, stops the others and lets nothing of them through', async () => {
    const calls = gated();
    const states = {
      First: task('f', { Next: 'Second' }),
      Second: task('g'),
    };
    const caught = { Catch: [{ ErrorEquals: ['Bad'], Next: 'End', Output: 'caught' }], Next: 'End' };
    const json = machine({
      M: each(states, { ...caught, Items: [1, 2, 3], MaxConcurrency: 2 }),
      End: { Type: 'Succeed' },
    });
    const rig = new Rig({ machine: json, functions: { f: calls.f, g: () => 'never' } });
    rig.asl.start({ machine: 'm', name: 'x' }, {});
    await turn();
    calls.open[1]?.fail(named('Bad'));
    expect((await rig.now()).output).toBe('caught');
    calls.open[0]?.release(1);
    await turn();
    expect(rig.calls.map((call) => call.name)).toEqual(['f', 'f']);
    expect(rig.events()).toContain('MapIterationAborted');
  });

  it('starts anew on a retry, and computes its items again', async () => {
    let broken = true;
    const f = () => {
      if (broken) throw named('Bad');
      return 'fine';
    };
    const rig = new Rig({ machine: over({ Retry: [{ ErrorEquals: ['Bad'] }] }), functions: { f } });
    await rig.begin({ items: [1] });
    broken = false;
    expect((await rig.after(1_000)).output).toEqual(['fine']);
    const maps = rig.events().filter((type) => type.startsWith('MapS'));
    expect(maps).toEqual([
      'MapStateEntered',
      'MapStateStarted',
      'MapStateFailed',
      'MapStateStarted',
      'MapStateSucceeded',
      'MapStateExited',
    ]);
  });

  it('drops the tokens of stopped iterations', async () => {
    const tokens: string[] = [];
    const f = ({ token }: Json) => {
      tokens.push(String(token));
    };
    const states = { Ask: ask('f') };
    const rig = new Rig({ machine: machine({ M: each(states, { Items: [1, 2] }) }), functions: { f } });
    await rig.begin();
    expect(rig.asl.fail(tokens[0] ?? '', 'No', 'so')).toEqual({ ok: true });
    expect(await rig.now()).toMatchObject({ status: 'FAILED', error: 'No' });
    expect(rig.asl.succeed(tokens[1] ?? '', 1)).toEqual({ ok: false, error: 'TaskTimedOut' });
    expect(rig.clock).toSatisfy((clock: HandClock) => clock.pending === 0);
  });

  it('after a restart fails with the iteration that had failed, and calls nothing of the others again', async () => {
    const tokens: string[] = [];
    const f = ({ token }: Json) => {
      tokens.push(String(token));
      return gate().promise;
    };
    const states = { Ask: ask('f') };
    const rig = new Rig({ machine: machine({ M: each(states, { Items: [1, 2, 3] }) }), functions: { f } });
    rig.asl.start({ machine: 'm', name: 'x' }, {});
    await turn();
    rig.db.exec(
      "CREATE TRIGGER full BEFORE INSERT ON asl_visits WHEN NEW.path = '' BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    rig.asl.fail(tokens[2] ?? '', 'No', 'so');
    await turn();
    rig.db.exec('DROP TRIGGER full');
    await rig.restart();
    expect(await rig.now()).toMatchObject({ status: 'FAILED', error: 'No' });
    expect(tokens).toHaveLength(3);
  });
});
