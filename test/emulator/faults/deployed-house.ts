// The deployed house as these suites use it: one at a time, with a leaf that does what a goal says, and what can be seen of its executions.

import { expect } from 'vitest';
import type { DeadLetterRow } from '#shared/contracts/acp-host.ts';
import type { TraceNode } from '#shared/contracts/acp-trace.ts';
import { type House, openHouse, type Ran } from '#test/conformance/house.ts';
import { toldIn } from '#test/conformance/trail.ts';

/** What the leaf shows of the scripted harness. */
const CARD = { id: 'scripted', families: ['certify-accept', 'certify-stall'] };

export const openDeployedHouse = async (): Promise<House> => {
  const house = await openHouse();
  await house.add(CARD);
  return house;
};

/** Follows a task until its leaf is at work; answers with the leaf's record. */
export const working = async (house: House, task: string): Promise<string> =>
  (await house.until(task, ({ holon, state }) => holon === CARD.id && state === 'working')).record;

/** Every node of a trace, the root first. */
export const nodesOf = (node: TraceNode): TraceNode[] => [node, ...node.children.flatMap(nodesOf)];

/** Executions of everything below a task, as `name status`, by record. */
export const executionsOf = async (house: House, task: string): Promise<Record<string, string[]>> => {
  const { tree } = await house.door().call('_hca/task/trace', { task });
  return Object.fromEntries(
    nodesOf(tree).map(({ record, executions }) => [record, executions.map(({ status }) => status)]),
  );
};

export const lettersOf = async (house: House): Promise<DeadLetterRow[]> =>
  (await house.door().call('_hca/dead-letter/list', {})).letters;

/** Each version of a record decided by one step, no message said anew, one end and one lesson of each task. */
export const onceOnly = ({ entries }: Ran): void => {
  const changes = entries.filter(({ kind }) => kind !== 'note');
  const versions = changes.map(({ record, kind, version }) => `${kind} ${record} ${version}`);
  expect(versions).toEqual([...new Set(versions)]);
  const told = changes.flatMap((entry) => entry.told.map(({ id }) => id));
  expect(told).toEqual([...new Set(told)]);
  const ends = changes.filter(({ kind, state }) => kind === 'task' && state === 'completed');
  expect(ends.map(({ holon }) => holon)).toEqual(['scripted', 'engineering', 'root']);
  const lessons = toldIn(changes).filter(({ method }) => method === 'hca/knowledge/contribute');
  expect(lessons.map(({ from }) => from)).toEqual(['scripted', 'engineering', 'root']);
};
