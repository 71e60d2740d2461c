// Expressions: the fast path and jsonata agree, what Step Functions refuses is refused at load, nothing is an error.
import * as fc from 'fast-check';
import jsonata from 'jsonata';
import manifest from 'jsonata/package.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { Expressions } from '#local/asl/expressions.ts';
import { type Env, fastPath } from '#local/asl/fast-path.ts';
import { BAIL } from '#local/asl/operators.ts';

const NOW = 1_700_000_000_000;

const evaluate = async (text: string, vars: Env['vars'] = {}, states: object = {}) =>
  await new Expressions().compile(text).evaluate({ vars, states, now: () => NOW });

/** jsonata's own answer: a JSON value, NOTHING or ERROR. */
async function truth(text: string, env: Env): Promise<unknown> {
  try {
    const value: unknown = await jsonata(text).evaluate(undefined, {
      millis: env.now,
      ...env.vars,
      states: env.states,
    });
    return value === undefined ? 'NOTHING' : JSON.parse(JSON.stringify(value));
  } catch {
    return 'ERROR';
  }
}

function quickly(text: string, env: Env): unknown {
  const fast = fastPath(jsonata(text).ast());
  return fast === undefined ? BAIL : fast(env);
}

const name = fc.constantFrom('a', 'b', 'c');
const leaf = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -10, max: 10 }).map((value) => value + 0),
  fc.constantFrom('', 'word', 'other', true, false, null),
);
const data = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
})).value;

const path = fc
  .tuple(fc.constantFrom('$x', '$y', '$states.input', '$states.result', '$missing'), fc.array(name, { maxLength: 3 }))
  .map(([root, names]) => [root, ...names].join('.'));
const atom = fc.oneof(
  path,
  path,
  fc.integer({ min: -3, max: 3 }).map(String),
  fc.constantFrom("'word'", '"other"', 'true', 'false', 'null', '$millis()'),
);
const expression = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc
      .tuple(
        tie('node'),
        fc.constantFrom('=', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '&', 'and', 'or'),
        tie('node'),
      )
      .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
    fc.tuple(tie('node'), tie('node'), tie('node')).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
    tie('node').map((inner) => `$exists(${inner})`),
    tie('node').map((inner) => `$ceil(${inner})`),
    fc.tuple(tie('node'), tie('node')).map(([one, two]) => `$max([${one}, ${two}])`),
  ),
})).node;

describe('the fast path', () => {
  it('agrees with jsonata wherever it answers at all', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(expression, data, data, async (text, x, y) => {
        const env: Env = { vars: { x, y }, states: { input: { a: x, b: y }, result: y }, now: () => NOW };
        const value = quickly(text, env);
        if (value === BAIL) return;
        answered += 1;
        const mine = value === undefined ? 'NOTHING' : JSON.parse(JSON.stringify(value));
        expect(mine).toEqual(await truth(text, env));
      }),
      { numRuns: 3_000 },
    );
    expect(answered).toBeGreaterThan(500);
  });

  it('takes every expression that a machine evaluates at each step', () => {
    const usual = [
      '$states.context.Execution.Input.task',
      '$tick + 1',
      "$states.input.word = 'done'",
      '$exists($states.input.tick) ? $states.input.tick : 1',
      '($exists($states.input.tick) ? $states.input.tick : 1) + 1',
      '$max([1, $ceil(($deadline - $millis()) / 1000)])',
    ];
    for (const text of usual) expect(fastPath(jsonata(text).ast()), text).toBeTypeOf('function');
  });

  it('leaves predicates, wildcards, lambdas and inherited names to jsonata', () => {
    for (const text of [
      '$x[0]',
      '$x.*',
      '$x.a[]',
      'function($q){$q}',
      '$x.constructor',
      '$x.a.toString',
      '$sum([1])',
      '$',
    ]) {
      expect(fastPath(jsonata(text).ast()), text).toBeUndefined();
    }
  });
});

describe('an expression', () => {
  it('runs on the jsonata of Step Functions', () => {
    expect(manifest.version).toBe('2.0.6');
  });

  it.each([
    ['$eval("1")', /\$eval is not allowed/],
    ['$x ?? 1', /neither `\?\?` nor `\?:`/],
    ['$x ?: 1', /neither `\?\?` nor `\?:`/],
    ['1 +', /not a JSONata/],
  ])('%s is refused when it is compiled', (text, reason) => {
    expect(() => new Expressions().compile(text)).toThrow(reason);
  });

  it.each(['$states.input.missing', '$missing', '[1,2][5]', '$x[a=1]', '$sum', 'function($q){$q}', 'nowhere'])(
    '%s yields nothing, which is an error',
    async (text) => {
      const attempt = (async () => await evaluate(text, { x: [] }))();
      await expect(attempt).rejects.toMatchObject({ name: 'States.QueryEvaluationError' });
    },
  );

  it('maps over arrays and unwraps single answers as jsonata does', async () => {
    const x = [{ a: 1 }, { a: 2 }];
    expect(await evaluate('$x.a', { x })).toEqual([1, 2]);
    expect(await evaluate('$x[a=2].a', { x })).toBe(2);
    expect(await evaluate('$x[a=2].a[]', { x })).toEqual([2]);
  });

  it('has the extra functions of Step Functions', async () => {
    expect(await evaluate('$uuid()')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await evaluate('$parse("[1]")')).toEqual([1]);
    expect(await evaluate('$hash("a", "SHA-256")')).toMatch(/^ca978112/);
    expect(await evaluate('$range(1, 7, 3)')).toEqual([1, 4, 7]);
    expect(await evaluate('$partition([1,2,3], 2)')).toEqual([[1, 2], [3]]);
    expect(await evaluate('$now()')).toBe(new Date(NOW).toISOString());
  });
});
