// Variables by scope, as Step Functions has them: an inner scope reads the outer ones and may not assign them.
import type { StateShape } from '#local/asl/definition.ts';
import { join, type Problems } from '#local/asl/problems.ts';
import type { ScopeShape } from '#local/asl/scope-shape.ts';

/** The variables each scope can read: those assigned in it or in a scope around it. Bad names are noted. */
export function checkVariables(scope: ScopeShape, problems: Problems): ReadonlyMap<ScopeShape, ReadonlySet<string>> {
  const visible = new Map<ScopeShape, ReadonlySet<string>>();
  visit(scope, new Set());
  return visible;

  function visit(each: ScopeShape, outer: ReadonlySet<string>): void {
    const own = new Set<string>();
    for (const [name, state] of each.states) {
      const place = join(each.path, ['States', name]);
      for (const variable of assignedBy(state)) {
        own.add(variable);
        noteName(variable, outer, (sentence) => problems.add(`${place}.Assign.${variable}`, sentence));
      }
    }
    const readable = new Set([...outer, ...own]);
    visible.set(each, readable);
    for (const inner of each.inner.values()) visit(inner, readable);
  }
}

/** Step Functions: a letter or underscore, then letters, digits and underscores, at most 80; `states` is reserved. */
const NAME = /^[\p{ID_Start}_][\p{ID_Continue}]{0,79}$/u;

function noteName(name: string, outer: ReadonlySet<string>, note: (sentence: string) => void): void {
  if (!NAME.test(name) || name === 'states' || name in Object.prototype) {
    note('is no name for a variable; use letters, digits and _, not "states"');
  }
  if (outer.has(name)) note('belongs to an outer scope, which a Map reads but cannot assign; use another name');
}

function assignedBy(state: StateShape): string[] {
  return assignsOf(state).flatMap((assign) => Object.keys(assign ?? {}));
}

function assignsOf(state: StateShape): (Record<string, unknown> | undefined)[] {
  switch (state.Type) {
    case 'Succeed':
    case 'Fail':
      return [];
    case 'Wait':
      return [state.Assign];
    case 'Choice':
      return [state.Assign, ...state.Choices.map((rule) => rule.Assign)];
    case 'Task':
    case 'Map':
      return [state.Assign, ...(state.Catch ?? []).map((rule) => rule.Assign)];
  }
}
