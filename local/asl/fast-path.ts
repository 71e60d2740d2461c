// A synchronous evaluator for the plain expressions machines are made of: paths, variables, literals, comparisons, arithmetic,
// and/or and the ternary. Whatever is not plain, in the tree or in the values, yields BAIL and jsonata decides.
import { type Ast, isAst } from '#local/asl/ast.ts';
import { fastFunction } from '#local/asl/fast-functions.ts';
import { isBuiltIn } from '#local/asl/functions.ts';
import { BAIL, type BinaryRule, binaryRule } from '#local/asl/operators.ts';

/** What an expression sees: the variables in scope and the reserved `$states`. */
export interface Env {
  readonly vars: Readonly<Record<string, unknown>>;
  readonly states: object;
  /** The runner's clock, for $millis and $now. */
  now(): number;
}

/** A value, `undefined` for nothing, or BAIL. Never throws, never waits. */
export type Fast = (env: Env) => unknown;

/** The closure for a tree, or undefined when it holds anything but plain nodes. */
export function fastPath(tree: unknown): Fast | undefined {
  if (!isAst(tree) || !isPlain(tree)) return undefined;
  return BUILDERS[String(tree.type)]?.(tree);
}

/** Fields that carry no meaning beyond the node's own type; any other one (predicate, stages, keepArray...) is not plain. */
const PLAIN_FIELDS = new Set(
  'type value position lhs rhs condition then else steps expressions procedure arguments'.split(' '),
);

function isPlain(node: Ast): boolean {
  return Object.entries(node).every(([key, value]) => value === undefined || PLAIN_FIELDS.has(key));
}

const BUILDERS: Readonly<Record<string, (node: Ast) => Fast | undefined>> = {
  number: literal,
  string: literal,
  value: literal,
  variable,
  path,
  binary,
  condition,
  block,
  function: call,
};

function literal(node: Ast): Fast {
  const { value } = node;
  return () => value;
}

function variable(node: Ast): Fast | undefined {
  const name = node.value;
  if (!isSafeName(name)) return undefined;
  if (name === 'states') return (env) => env.states;
  if (isBuiltIn(name)) return (env) => (Object.hasOwn(env.vars, name) ? env.vars[name] : BAIL);
  return (env) => env.vars[name];
}

function path(node: Ast): Fast | undefined {
  const steps: readonly unknown[] = Array.isArray(node.steps) ? node.steps : [];
  const root = isAst(steps[0]) && steps[0].type === 'variable' ? fastPath(steps[0]) : undefined;
  const names = steps.slice(1).map(stepName);
  if (root === undefined || !names.every((name) => name !== undefined)) return undefined;
  return (env) => descend(root(env), names);
}

/** Nothing below a scalar, and BAIL at an array, over which jsonata maps. */
function descend(from: unknown, names: readonly string[]): unknown {
  let value = from;
  for (const name of names) {
    if (value === BAIL || Array.isArray(value)) return BAIL;
    if (!isAst(value)) return undefined;
    value = value[name];
  }
  return value;
}

/** Names that every object inherits behave oddly in jsonata; they are left to it. */
function isSafeName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && name !== '$' && !(name in Object.prototype);
}

function stepName(step: unknown): string | undefined {
  if (!isAst(step) || step.type !== 'name' || !isSafeName(step.value)) return undefined;
  return isPlain(step) ? step.value : undefined;
}

function binary(node: Ast): Fast | undefined {
  const rule: BinaryRule | undefined = binaryRule(String(node.value));
  const left = fastPath(node.lhs);
  const right = fastPath(node.rhs);
  if (rule === undefined || left === undefined || right === undefined) return undefined;
  return (env) => rule(left(env), right(env));
}

function condition(node: Ast): Fast | undefined {
  const test = fastPath(node.condition);
  const yes = fastPath(node.then);
  const no = node.else === undefined ? () => undefined : fastPath(node.else);
  if (test === undefined || yes === undefined || no === undefined) return undefined;
  return (env) => {
    const decided = test(env);
    if (typeof decided !== 'boolean') return BAIL;
    return decided ? yes(env) : no(env);
  };
}

/** Brackets around one expression. */
function block(node: Ast): Fast | undefined {
  const inner: readonly unknown[] = Array.isArray(node.expressions) ? node.expressions : [];
  return inner.length === 1 ? fastPath(inner[0]) : undefined;
}

function call(node: Ast): Fast | undefined {
  const name = isAst(node.procedure) && node.procedure.type === 'variable' ? String(node.procedure.value) : '';
  const rule = fastFunction(name);
  const args: readonly unknown[] = Array.isArray(node.arguments) ? node.arguments : [];
  const parts = args.map(argument);
  if (rule === undefined || !parts.every((part) => part !== undefined)) return undefined;
  return (env) => {
    if (Object.hasOwn(env.vars, name)) return BAIL;
    const values = parts.map((part) => part(env));
    return values.includes(BAIL) ? BAIL : rule(values, env.now);
  };
}

/** An argument may also be a list of plain expressions. */
function argument(node: unknown): Fast | undefined {
  if (!isAst(node) || node.type !== 'unary' || node.value !== '[') return fastPath(node);
  const parts = (Array.isArray(node.expressions) ? node.expressions : []).map(fastPath);
  if (!parts.every((part) => part !== undefined)) return undefined;
  return (env) => {
    const values = parts.map((part) => part(env));
    return values.includes(BAIL) ? BAIL : values;
  };
}
