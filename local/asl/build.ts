// From checked shapes to nodes: compiles every template of a state where it stands.
import { type Kit, leavingOf, onwardOf, type Place, recoveryOf } from '#local/asl/build-parts.ts';
import { buildTask } from '#local/asl/build-task.ts';
import type { ChoiceState, FailState, MapState, StateShape, WaitState } from '#local/asl/definition.ts';
import type { ChoiceNode, FailNode, Graph, MapNode, Node, WaitNode } from '#local/asl/nodes.ts';
import { join } from '#local/asl/problems.ts';
import type { ScopeShape } from '#local/asl/scope-shape.ts';
import type { Site, StatesPart } from '#local/asl/template.ts';

/** Builds a scope and, through its Maps, everything in it. */
export function buildGraph(scope: ScopeShape, kit: Kit): Graph {
  const states = new Map<string, Node>();
  for (const [name, state] of scope.states) states.set(name, buildNode(state, placeOf(scope, name, kit)));
  return { startAt: scope.startAt, states };
}

function placeOf(scope: ScopeShape, name: string, kit: Kit): Place {
  const path = join(scope.path, ['States', name]);
  const variables = kit.variables.get(scope) ?? new Set<string>();
  const site = (field: string, ...extra: StatesPart[]): Site => ({
    path: `${path}.${field}`,
    allowed: ['input', 'context', ...extra],
    variables,
  });
  return { ...kit, scope, name, path, site };
}

function buildNode(state: StateShape, place: Place): Node {
  switch (state.Type) {
    case 'Task':
      return buildTask(place, state);
    case 'Choice':
      return buildChoice(place, state);
    case 'Map':
      return buildMap(place, state);
    case 'Wait':
      return buildWait(place, state);
    case 'Succeed':
      return { type: 'Succeed', name: place.name, leaving: leavingOf(place, state, { next: null, at: '', extra: [] }) };
    case 'Fail':
      return buildFail(place, state);
  }
}

function buildChoice(place: Place, state: ChoiceState): ChoiceNode {
  const rules = state.Choices.map((rule, index) => {
    const at = `Choices[${index}].`;
    const condition = place.templates.compile(rule.Condition, place.site(`${at}Condition`));
    return { condition, leaving: leavingOf(place, rule, { next: rule.Next, at, extra: [] }) };
  });
  const fallback = state.Default;
  const otherwise = fallback === undefined ? undefined : leavingOf(place, state, { next: fallback, at: '', extra: [] });
  if (otherwise === undefined && (state.Output !== undefined || state.Assign !== undefined)) {
    place.problems.add(
      place.path,
      'Output and Assign of a Choice belong to its Default; add one or move them into a rule',
    );
  }
  return { type: 'Choice', name: place.name, rules, otherwise };
}

function buildMap(place: Place, state: MapState): MapNode {
  const scope = place.scope.inner.get(place.name);
  const graph = scope === undefined ? { startAt: '', states: new Map() } : buildGraph(scope, place);
  return {
    type: 'Map',
    name: place.name,
    items: place.templates.optional(state.Items, place.site('Items')),
    selector: place.templates.optional(state.ItemSelector, place.site('ItemSelector')),
    concurrency: place.templates.compile(state.MaxConcurrency ?? 0, place.site('MaxConcurrency')),
    graph,
    leaving: leavingOf(place, state, { next: onwardOf(place, state), at: '', extra: ['result'] }),
    recovery: recoveryOf(place, state),
  };
}

function buildWait(place: Place, state: WaitState): WaitNode {
  if ((state.Seconds === undefined) === (state.Timestamp === undefined)) {
    place.problems.add(place.path, 'give exactly one of Seconds and Timestamp');
  }
  const unit = state.Timestamp === undefined ? 'seconds' : 'timestamp';
  const value = place.templates.compile(state.Timestamp ?? state.Seconds, place.site('Seconds'));
  const leaving = leavingOf(place, state, { next: onwardOf(place, state), at: '', extra: [] });
  return { type: 'Wait', name: place.name, until: { unit, value }, leaving };
}

function buildFail(place: Place, state: FailState): FailNode {
  const error = place.templates.compile(state.Error ?? '', place.site('Error'));
  const cause = place.templates.compile(state.Cause ?? '', place.site('Cause'));
  return { type: 'Fail', name: place.name, error, cause };
}
