// Map (inline): one scope per item, at most MaxConcurrency at once; the first failure stops the others and is the Map's error.
import type { Settled } from '#local/asl/call.ts';
import { HALTED, type Halted } from '#local/asl/cancel.ts';
import { envOf } from '#local/asl/env.ts';
import { AslFault } from '#local/asl/errors.ts';
import { leave } from '#local/asl/leave.ts';
import { iterate, type MapPlan } from '#local/asl/map-iterations.ts';
import type { MapNode } from '#local/asl/nodes.ts';
import { sealed } from '#local/asl/payload.ts';
import { attemptKey, type Leave, type Visit } from '#local/asl/world.ts';

/** Inline Maps run at most 40 iterations at once in Step Functions; 0 means as many as possible. */
const WIDEST = 40;

/** Runs a Map. The items are computed once per attempt and journalled, so a restart goes on with the same ones. */
export async function runMap(visit: Visit, node: MapNode): Promise<Leave | Halted> {
  const plan = remembered(visit) ?? (await planned(visit, node));
  const settled: Settled | Halted = await iterate(visit, node, plan);
  if (settled === HALTED) return HALTED;
  if (!settled.ok) throw settled.fault;
  return await leave(visit, node.leaving, { output: undefined, more: { result: settled.value } });
}

function remembered(visit: Visit): MapPlan | undefined {
  const detail = visit.memo?.detail;
  if (detail?.items === undefined) return undefined;
  return { items: detail.items, inputs: detail.inputs ?? detail.items, limit: detail.limit ?? WIDEST };
}

async function planned(visit: Visit, node: MapNode): Promise<MapPlan> {
  const env = envOf(visit);
  const items = node.items === undefined ? visit.scope.input.value : await node.items(env);
  if (!Array.isArray(items)) throw invalid(node, 'Items must be an array', items);
  const width = await node.concurrency(env);
  if (typeof width !== 'number' || !Number.isInteger(width) || width < 0) {
    throw invalid(node, 'MaxConcurrency must be a whole number of at least 0', width);
  }
  const plan = {
    items,
    inputs: await inputsOf(visit, node, items),
    limit: width === 0 ? WIDEST : Math.min(width, WIDEST),
  };
  remember(visit, plan, node.selector !== undefined);
  return plan;
}

async function inputsOf(visit: Visit, node: MapNode, items: readonly unknown[]): Promise<readonly unknown[]> {
  if (node.selector === undefined) return items;
  const inputs: unknown[] = [];
  for (const [Index, Value] of items.entries()) {
    const scope = { ...visit.scope, item: { Index, Value } };
    const input = await node.selector(envOf({ ...visit, scope }));
    inputs.push(sealed(input, `the input of iteration ${Index} of ${node.name}`).value);
  }
  return inputs;
}

function remember(visit: Visit, plan: MapPlan, selected: boolean): void {
  const { journal, clock } = visit.scope.world;
  const after = visit.memo?.detail.after;
  const detail = {
    entered: visit.entered,
    begins: clock.now(),
    counters: [...visit.counters],
    ...(after === undefined ? {} : { after }),
    items: [...plan.items],
    ...(selected ? { inputs: [...plan.inputs] } : {}),
    limit: plan.limit,
  };
  journal.attempt({ key: attemptKey(visit), state: visit.node.name, detail, token: null });
}

function invalid(node: MapNode, rule: string, given: unknown): AslFault {
  return new AslFault(
    'States.QueryEvaluationError',
    `${rule} in ${node.name}, not ${JSON.stringify(given)?.slice(0, 80)}`,
  );
}
