// Running a scope: visit, journal, go on. One write per visit, made when it is over; a restart goes on after the last one.
import { HALTED } from '#local/asl/cancel.ts';
import { AslFault } from '#local/asl/errors.ts';
import type { Node } from '#local/asl/nodes.ts';
import { sealed } from '#local/asl/payload.ts';
import { visitState } from '#local/asl/visit.ts';
import type { Ending, Leave, Position, Scope, Visit } from '#local/asl/world.ts';

/** Runs a scope to its end. Rejects with JournalFault only. */
export async function runScope(scope: Scope): Promise<Ending> {
  const position = scope.run.restored?.get(scope.path);
  if (position !== undefined) {
    restore(scope, position);
    if (position.last.next === null) return endingOf(leaveOf(position));
  }
  for (;;) {
    const left = await visitNext(scope);
    if (left === HALTED) return HALTED;
    if (left.next === null) return endingOf(left);
  }
}

async function visitNext(scope: Scope): Promise<Leave | typeof HALTED> {
  if (scope.cancel.fired) return HALTED;
  const visit = enter(scope);
  scope.run.live.add(visit);
  try {
    const left = await visitState(visit);
    if (left === HALTED || scope.cancel.fired) return HALTED;
    record(visit, left);
    advance(scope, left);
    return left;
  } finally {
    scope.run.live.delete(visit);
  }
}

function enter(scope: Scope): Visit {
  const { world, run } = scope;
  const node = nodeOf(scope);
  const entered = world.clock.now();
  const memo = scope.recall ? world.archive.latestAttempt(run.id, scope.path, scope.visit) : undefined;
  return {
    scope,
    node,
    number: scope.visit,
    entered: memo?.detail.entered ?? entered,
    attempt: memo?.attempt ?? 0,
    counters: memo?.detail.counters ?? [],
    memo,
  };
}

/** A machine file may have changed under an open execution; a state that is gone fails it. */
function nodeOf(scope: Scope): Node {
  const node = scope.graph.states.get(scope.next);
  if (node !== undefined) return node;
  const gone = (): never => {
    throw new AslFault('States.Runtime', `the machine has no state "${scope.next}" any more`);
  };
  return { type: 'Fail', name: scope.next, error: gone, cause: gone };
}

function record(visit: Visit, left: Leave): void {
  const { world, run, path } = visit.scope;
  world.journal.visit({
    execution: run.id,
    path,
    visit: visit.number,
    state: visit.node.name,
    type: visit.node.type,
    entered: visit.entered,
    exited: world.clock.now(),
    next: left.next,
    output: left.output.text,
    assign: left.assign?.text ?? null,
    failure: left.failure,
  });
}

function advance(scope: Scope, left: Leave): void {
  scope.visit += 1;
  scope.recall = false;
  scope.input = left.output;
  scope.next = left.next ?? '';
  const assigned = left.assign?.value;
  if (typeof assigned === 'object') scope.vars = { ...scope.vars, ...assigned };
}

function restore(scope: Scope, position: Position): void {
  const { last, vars } = position;
  scope.vars = { ...scope.vars, ...vars };
  scope.visit = last.visit + 1;
  scope.input = sealed(last.output, 'the journalled output');
  scope.next = last.next ?? '';
}

function leaveOf(position: Position): Leave {
  const { next, output, failure } = position.last;
  return { next, output: sealed(output, 'the journalled output'), assign: undefined, failure };
}

function endingOf(left: Leave): Ending {
  return left.failure === null ? { output: left.output } : { error: left.failure };
}
