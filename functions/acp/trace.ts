// How a task ran, from the histories of its executions: the same tree on either host.
import type { Trace, TraceExecution, TraceNode } from '#shared/contracts/acp-trace.ts';
import { executionName } from '#shared/contracts/ids.ts';
import type { MachineName } from '#shared/contracts/machines.ts';
import type { AnyRecord, ReviewRecord, TaskRecord } from '#shared/contracts/task.ts';
import { machineOf, otherMachine } from '#shared/domain/machines.ts';
import { priceOf } from '#shared/domain/rate-card.ts';
import { statesOf, transitionsOf } from '#shared/domain/trace.ts';
import { traceOf } from '#shared/domain/trace-context.ts';
import { findTask } from './find.ts';
import type { DoorPorts, Handler } from './ports.ts';

export const getTrace: Handler<'_hca/task/trace'> = async ({ params, principal, door }): Promise<Trace> => {
  const { tasks } = door.ports;
  const task = await findTask({ principal, tasks }, params.task);
  const tree = await nodeOf(task, await tasks.below(principal.tenant, task.root), door.ports);
  const executions = executionsOf(tree);
  const transitions = executions.reduce((sum, one) => sum + one.transitions, 0);
  const paid = executions.some(({ link }) => link !== null) ? priceOf({ transitions }) : 0;
  return {
    task: task.id,
    trace_id: traceOf(task.root, '').slice(3, 35),
    transitions,
    usd_micros: { transitions: Math.round(paid), spent: spentOf(tree) },
    tree,
  };
};

type Reading = Pick<DoorPorts['ports'], 'history' | 'workflows' | 'ledger'>;

const nodeOf = async (
  record: TaskRecord | ReviewRecord,
  below: readonly AnyRecord[],
  ports: Reading,
): Promise<TraceNode> => {
  const ledger = await ports.ledger.read(record.tenant, record.id);
  const children: TraceNode[] = [];
  for (const child of below) if (isChild(record, child)) children.push(await nodeOf(child, below, ports));
  return {
    record: record.id,
    kind: record.kind,
    holon: record.holon,
    state: record.state,
    iterations: record.iteration,
    spent: ledger?.committed ?? null,
    executions: await ranAs(record, ports),
    children,
  };
};

const isChild = (parent: AnyRecord, record: AnyRecord): record is TaskRecord | ReviewRecord =>
  record.kind === 'task' ? record.parent?.task === parent.id : record.kind === 'review' && record.task === parent.id;

/** One execution for each generation; a record that was never started has none. */
const ranAs = async (record: TaskRecord | ReviewRecord, ports: Reading): Promise<TraceExecution[]> => {
  const found: TraceExecution[] = [];
  for (let generation = 1; generation <= Math.max(1, record.generation); generation += 1) {
    const name = executionName(record.id, generation);
    for (const machine of machinesOf(record)) found.push(...(await executed(machine, name, ports)));
  }
  return found;
};

/** A name runs in one of them. */
const machinesOf = (record: TaskRecord | ReviewRecord): MachineName[] =>
  record.kind === 'review' ? ['review'] : [machineOf(record), otherMachine(machineOf(record))];

const executed = async (machine: MachineName, name: string, ports: Reading): Promise<TraceExecution[]> => {
  const found = await ports.workflows.describe(machine, name);
  if (found === undefined) return [];
  const { error: _error, ...status } = found;
  const states = statesOf(await ports.history.events(machine, name));
  return [{ name, ...status, transitions: transitionsOf(states), states, link: ports.history.link(machine, name) }];
};

const executionsOf = (node: TraceNode): TraceExecution[] => [
  ...node.executions,
  ...node.children.flatMap(executionsOf),
];

const spentOf = (node: TraceNode): number =>
  node.children.reduce((sum, child) => sum + spentOf(child), node.spent?.usd_micros ?? 0);
