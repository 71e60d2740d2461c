// One execution in memory: made from a journal row, driven through its machine.

import type { Archive } from '#local/asl/archive.ts';
import { Cancel } from '#local/asl/cancel.ts';
import type { Machine } from '#local/asl/nodes.ts';
import type { Sealed } from '#local/asl/payload.ts';
import type { VisitRow } from '#local/asl/rows.ts';
import type { Position, Run, Scope, World } from '#local/asl/world.ts';

/** What identifies an execution, new or read from the journal. */
export interface Identity {
  readonly id: number;
  readonly machine: Machine;
  readonly name: string;
  readonly input: Sealed;
  readonly started: number;
}

/** The execution in memory; `restored` is undefined for a new one. */
export function runOf(identity: Identity, restored: Run['restored']): Run {
  const { machine, name, input, started } = identity;
  const context = {
    Execution: {
      Id: `arn:aws:states:local:000000000000:execution:${machine.name}:${name}`,
      Name: name,
      Input: input.value,
      StartTime: new Date(started).toISOString(),
      RedriveCount: 0,
    },
    StateMachine: { Id: `arn:aws:states:local:000000000000:stateMachine:${machine.name}`, Name: machine.name },
  };
  return { ...identity, cancel: new Cancel(), context, live: new Set(), restored };
}

/** The outermost scope of an execution. */
export function rootScope(world: World, run: Run): Scope {
  return {
    world,
    run,
    graph: run.machine.graph,
    path: '',
    cancel: run.cancel,
    item: undefined,
    input: run.input,
    vars: {},
    visit: 0,
    next: run.machine.graph.startAt,
    recall: run.restored !== undefined,
  };
}

/** Where every scope of an execution stands, folded from its visits; nothing is evaluated again. */
export function positionsOf(archive: Archive, execution: number): ReadonlyMap<string, Position> {
  const positions = new Map<string, Position>();
  for (const row of archive.visits(execution)) positions.set(row.path, after(positions.get(row.path), row));
  return positions;
}

function after(before: Position | undefined, last: VisitRow): Position {
  const vars = before?.vars ?? {};
  return { last, vars: last.assign === null ? vars : { ...vars, ...last.assign } };
}
