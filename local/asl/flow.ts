// The shape of the flow: every target exists, every state can be reached and can reach an end, names are unique.
import type { StateShape } from '#local/asl/definition.ts';
import { join, type Problems } from '#local/asl/problems.ts';
import type { ScopeShape } from '#local/asl/scope-shape.ts';

/** Notes what is wrong with the flow of a machine and of every Map in it. */
export function checkFlow(scope: ScopeShape, problems: Problems): void {
  checkScope(scope, problems, new Set());
}

function checkScope(scope: ScopeShape, problems: Problems, seen: Set<string>): void {
  const edges = new Map([...scope.states].map(([name, state]) => [name, targetsOf(state)]));
  for (const name of edges.keys()) checkUnique(scope, name, { problems, seen });
  checkTargets(scope, edges, problems);
  checkReach(scope, edges, problems);
  for (const inner of scope.inner.values()) checkScope(inner, problems, seen);
}

function checkUnique(scope: ScopeShape, name: string, known: { problems: Problems; seen: Set<string> }): void {
  if (known.seen.has(name)) {
    known.problems.add(join(scope.path, ['States', name]), 'the name is used twice in this machine; rename one');
  }
  known.seen.add(name);
}

/** Every state name this state may go to. */
function targetsOf(state: StateShape): string[] {
  switch (state.Type) {
    case 'Choice':
      return [...state.Choices.map((rule) => rule.Next), ...(state.Default === undefined ? [] : [state.Default])];
    case 'Succeed':
    case 'Fail':
      return [];
    case 'Wait':
      return nextOf(state);
    case 'Task':
    case 'Map':
      return [...nextOf(state), ...(state.Catch ?? []).map((rule) => rule.Next)];
  }
}

function nextOf(state: { Next?: string | undefined }): string[] {
  return state.Next === undefined ? [] : [state.Next];
}

function checkTargets(scope: ScopeShape, edges: ReadonlyMap<string, readonly string[]>, problems: Problems): void {
  if (!edges.has(scope.startAt)) {
    problems.add(join(scope.path, ['StartAt']), `there is no state "${scope.startAt}"; name one of States`);
  }
  for (const [name, targets] of edges) {
    for (const target of targets.filter((each) => !edges.has(each))) {
      problems.add(
        join(scope.path, ['States', name]),
        `goes to "${target}", which does not exist in this scope; correct the Next`,
      );
    }
  }
}

function checkReach(scope: ScopeShape, edges: ReadonlyMap<string, readonly string[]>, problems: Problems): void {
  const reached = closure([scope.startAt], (name) => edges.get(name) ?? []);
  const ends = [...scope.states].filter(([, state]) => isTerminal(state)).map(([name]) => name);
  if (ends.length === 0) {
    problems.add(scope.path, 'no state ends; give one "End": true or add a Succeed or Fail state');
  }
  const ending = closure(ends, (name) =>
    [...edges].filter(([, targets]) => targets.includes(name)).map(([from]) => from),
  );
  for (const name of edges.keys()) {
    const place = join(scope.path, ['States', name]);
    if (!reached.has(name)) problems.add(place, 'is never reached; lead to it or remove it');
    if (ends.length > 0 && !ending.has(name))
      problems.add(place, 'can never come to an end; lead it to a terminal state');
  }
}

function isTerminal(state: StateShape): boolean {
  if (state.Type === 'Succeed' || state.Type === 'Fail') return true;
  return state.Type !== 'Choice' && state.End === true;
}

function closure(from: readonly string[], more: (name: string) => readonly string[]): Set<string> {
  const seen = new Set(from);
  for (const name of seen) for (const each of more(name)) seen.add(each);
  return seen;
}
