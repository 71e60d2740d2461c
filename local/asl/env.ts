// What the expressions of a visit see: the variables of the scope, and `$states` with a context built only when it is read.
import type { Env } from '#local/asl/fast-path.ts';
import type { Context, Visit } from '#local/asl/world.ts';

/** What exists beside input and context: the result, the error output of a Catch, or the token of a waiting Task. */
export interface More {
  readonly result?: unknown;
  readonly errorOutput?: unknown;
  readonly token?: string;
}

/** The environment of a visit. */
export function envOf(visit: Visit, more: More = {}): Env {
  let context: Context | undefined;
  const { vars, input, world } = visit.scope;
  const states = {
    input: input.value,
    result: more.result,
    errorOutput: more.errorOutput,
    get context(): Context {
      context ??= contextOf(visit, more.token);
      return context;
    },
  };
  return { vars, states, now: () => world.clock.now() };
}

function contextOf(visit: Visit, token: string | undefined): Context {
  const { scope, node } = visit;
  return {
    ...scope.run.context,
    State: {
      Name: node.name,
      EnteredTime: new Date(visit.entered).toISOString(),
      RetryCount: visit.counters.reduce((sum, count) => sum + count, 0),
    },
    ...(token === undefined ? {} : { Task: { Token: token } }),
    ...(scope.item === undefined ? {} : { Map: { Item: scope.item } }),
  };
}
