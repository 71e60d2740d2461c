// Building a Task: which function is called with what, and the rules of waiting for a token (pitfall 39: never without a timeout).
import { leavingOf, onwardOf, type Place, recoveryOf } from '#local/asl/build-parts.ts';
import { RESOURCES, type TaskState } from '#local/asl/definition.ts';
import type { TaskNode } from '#local/asl/nodes.ts';

/** The node of a Task state. */
export function buildTask(place: Place, state: TaskState): TaskNode {
  const callback = RESOURCES[state.Resource];
  const { FunctionName: functionName, Payload: payload = {} } = state.Arguments;
  if (functionName.startsWith('{%')) {
    place.problems.add(`${place.path}.Arguments.FunctionName`, 'is fixed at load; write a name or ${name}');
  }
  if (callback) checkCallback(place, state);
  else if (state.HeartbeatSeconds !== undefined) {
    place.problems.add(
      `${place.path}.HeartbeatSeconds`,
      'only a state that waits for a token has heartbeats; remove it',
    );
  }
  return {
    type: 'Task',
    name: place.name,
    functionName,
    callback,
    payload: place.templates.compile(payload, place.site('Arguments.Payload')),
    timeout: place.templates.optional(state.TimeoutSeconds, place.site('TimeoutSeconds')),
    heartbeat: place.templates.optional(state.HeartbeatSeconds, place.site('HeartbeatSeconds')),
    leaving: leavingOf(place, state, { next: onwardOf(place, state), at: '', extra: ['result'] }),
    recovery: recoveryOf(place, state),
  };
}

function checkCallback(place: Place, state: TaskState): void {
  if (state.TimeoutSeconds === undefined) {
    place.problems.add(`${place.path}.TimeoutSeconds`, 'is missing: a token may never come; say how long to wait');
  }
  if (!JSON.stringify(state.Arguments.Payload ?? null).includes('$states.context')) {
    place.problems.add(
      `${place.path}.Arguments.Payload`,
      'passes no token, so nobody could answer; add {% $states.context.Task.Token %}',
    );
  }
}
