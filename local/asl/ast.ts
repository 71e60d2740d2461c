// Reading jsonata's syntax tree: which variables and which parts of $states an expression reads, and which functions it calls.

/** One node of jsonata's tree; its fields are read through the guards below. */
export type Ast = Readonly<Record<string, unknown>>;

/** What an expression reads from outside itself. */
export interface Reads {
  /** Variables that are neither bound inside the expression nor `states`. */
  readonly variables: ReadonlySet<string>;
  /** The first step after `$states`: input, result, errorOutput, context; '*' when it is not a plain name. */
  readonly states: ReadonlySet<string>;
}

/** Narrows a field of a node to a node. */
export function isAst(value: unknown): value is Ast {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Collects what a tree reads. Names bound anywhere in it (`:=`, parameters) count as its own. */
export function readsOf(tree: Ast): Reads {
  const found = { variables: new Set<string>(), states: new Set<string>(), bound: new Set<string>() };
  walk(tree, (node) => note(node, found));
  found.variables.delete('states');
  for (const name of found.bound) found.variables.delete(name);
  return found;
}

interface Found {
  variables: Set<string>;
  states: Set<string>;
  bound: Set<string>;
}

function note(node: Ast, found: Found): void {
  if (node.type === 'variable') noteVariable(node, found);
  if (node.type === 'bind') noteBound([node.lhs], found);
  if (node.type === 'lambda') noteBound(node.arguments, found);
  if (Array.isArray(node.steps)) noteStates(node.steps, found);
  if (typeof node.focus === 'string') found.bound.add(node.focus);
  if (isAst(node.index) && typeof node.index.value === 'string') found.bound.add(node.index.value);
  if (typeof node.index === 'string') found.bound.add(node.index);
}

function noteVariable(node: Ast, found: Found): void {
  if (typeof node.value === 'string' && node.value !== '' && node.value !== '$') found.variables.add(node.value);
}

function noteBound(nodes: unknown, found: Found): void {
  if (!Array.isArray(nodes)) return;
  for (const node of nodes) if (isAst(node) && typeof node.value === 'string') found.bound.add(node.value);
}

function noteStates(steps: readonly unknown[], found: Found): void {
  const [first, second] = steps;
  if (!isAst(first) || first.type !== 'variable' || first.value !== 'states') return;
  found.states.add(isAst(second) && second.type === 'name' ? String(second.value) : '*');
}

function walk(node: unknown, visit: (node: Ast) => void): void {
  if (Array.isArray(node)) {
    for (const child of node) walk(child, visit);
  } else if (isAst(node)) {
    visit(node);
    for (const child of Object.values(node)) walk(child, visit);
  }
}
