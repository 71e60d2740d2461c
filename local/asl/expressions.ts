// JSONata expressions: parsed and checked once when a machine is loaded, then evaluated by the fast path or by jsonata 2.0.6,
// the version of Step Functions. An expression that yields nothing is States.QueryEvaluationError.
import jsonata from 'jsonata';
import { isAst, type Reads, readsOf } from '#local/asl/ast.ts';
import { AslFault } from '#local/asl/errors.ts';
import { type Env, type Fast, fastPath } from '#local/asl/fast-path.ts';
import { EXTRA_FUNCTIONS, isBuiltIn } from '#local/asl/functions.ts';
import { BAIL } from '#local/asl/operators.ts';

/** Evaluates to a JSON value, or to a promise of one (only where jsonata is needed). */
export type Eval = (env: Env) => unknown;

/** A checked expression: how to evaluate it and what it reads. */
export interface Expression extends Reads {
  readonly evaluate: Eval;
}

/** Compiles expression texts (without `{% %}`), each text once. Throws an Error with a sentence for the author. */
export class Expressions {
  readonly #cache = new Map<string, Expression>();

  compile(text: string): Expression {
    const known = this.#cache.get(text);
    if (known !== undefined) return known;
    const compiled = compileExpression(text);
    this.#cache.set(text, compiled);
    return compiled;
  }
}

function compileExpression(text: string): Expression {
  const parsed = parse(text);
  const tree: unknown = parsed.ast();
  const reads = isAst(tree) ? readsOf(tree) : { variables: new Set<string>(), states: new Set<string>() };
  if (reads.variables.has('eval')) throw new Error('$eval is not allowed in Step Functions; write the expression out');
  const variables = new Set([...reads.variables].filter((name) => !isBuiltIn(name)));
  const slow = slowPath(parsed, text);
  const fast = fastPath(tree);
  return { variables, states: reads.states, evaluate: fast === undefined ? slow : eitherPath(fast, slow, text) };
}

function parse(text: string): jsonata.Expression {
  try {
    const parsed = jsonata(text);
    for (const [name, implementation] of Object.entries(EXTRA_FUNCTIONS)) parsed.registerFunction(name, implementation);
    return parsed;
  } catch (thrown) {
    const hint = /\?\?|\?:/.test(text) ? ' (Step Functions knows neither `??` nor `?:`; write `a ? b : c`)' : '';
    throw new Error(`not a JSONata 2.0.6 expression: ${messageOf(thrown)}${hint}`, { cause: thrown });
  }
}

function eitherPath(fast: Fast, slow: Eval, text: string): Eval {
  return (env) => {
    const value = fast(env);
    if (value === BAIL) return slow(env);
    return value === undefined ? nothing(text) : value;
  };
}

function slowPath(parsed: jsonata.Expression, text: string): Eval {
  return async (env) => {
    const value = await evaluated(parsed, env);
    if (value === undefined || isCallable(value)) return nothing(text);
    return typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value;
  };
}

async function evaluated(parsed: jsonata.Expression, env: Env): Promise<unknown> {
  try {
    return await parsed.evaluate(undefined, { ...clockFunctions(env), ...env.vars, states: env.states });
  } catch (thrown) {
    throw new AslFault('States.QueryEvaluationError', messageOf(thrown));
  }
}

/** $millis and $now tell the runner's time, so that a test's clock is the only one. */
function clockFunctions(env: Env): Record<string, unknown> {
  return {
    millis: () => env.now(),
    now: (picture?: string) => {
      if (picture === undefined) return new Date(env.now()).toISOString();
      throw new Error('$now takes no picture here; write $fromMillis($millis(), picture)');
    },
  };
}

/** jsonata throws plain objects that carry a message. */
function messageOf(thrown: unknown): string {
  return isAst(thrown) && typeof thrown.message === 'string' ? thrown.message : String(thrown);
}

function isCallable(value: unknown): boolean {
  if (typeof value === 'function') return true;
  return isAst(value) && (value._jsonata_function === true || value._jsonata_lambda === true);
}

function nothing(text: string): never {
  throw new AslFault('States.QueryEvaluationError', `the expression yields nothing: ${text.trim()}`);
}
