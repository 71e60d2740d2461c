// A house as a client sees it, on a host of its own and asked through the northbound door and nothing else. One suite, several hosts
// (architecture section 9): `local` always, `deployed` on an emulator's endpoint or in an account.
import { vi } from 'vitest';
import type { Door } from '#shared/client/door.ts';
import type { TaskView, TreeNode } from '#shared/contracts/acp-task.ts';
import type { HolonCard } from '#shared/contracts/holon.ts';
import type { Entry } from '#shared/contracts/journal.ts';
import { openDeployed } from './hosts/deployed.ts';
import type { Asked, Host } from './hosts/host.ts';
import { openLocal } from './hosts/local.ts';

/** A task that is over, with everything its journal says, oldest first. */
export interface Ran {
  task: string;
  view: TaskView;
  entries: Entry[];
}

/** As much of a Holon Card as a scenario wants to say. */
export type Card = Partial<HolonCard> & { id: string };

export interface House extends Host {
  /** Submits a goal; answers with the task's id. */
  submit(goal: string, asked?: Asked): Promise<string>;
  /** Follows a task over WebSocket to its end, whatever that is. */
  ended(task: string): Promise<Ran>;
  /** Submits a goal and follows it to its end. */
  run(goal: string, asked?: Asked): Promise<Ran>;
  /** Follows a task until an entry says something; answers with that entry. */
  until(task: string, says: (entry: Entry) => boolean): Promise<Entry>;
  /** Waits for an entry that may come when the task is over already: the end of a child that nobody waits for, an acknowledgement. */
  later(task: string, says: (entry: Entry) => boolean): Promise<Entry>;
  add(card: Card): Promise<HolonCard>;
}

/** Longest wait for what happens after the end of a task; it is a matter of milliseconds on an idle machine. */
const PATIENCE_MS = 20_000;

/** Opens a house of its own on the host that HCA_TEST_HOST names; its holarchy is the default one until a scenario changes it. */
export const openHouse = async (): Promise<House> => {
  const host = process.env.HCA_TEST_HOST === 'deployed' ? await openDeployed() : await openLocal();
  const { door, folder } = host;
  const submit: House['submit'] = async (goal, { workspace = folder(), ...asked } = {}) => {
    const given = typeof workspace === 'string' ? await host.given(workspace) : workspace;
    return (await door().call('_hca/task/submit', { goal, ...asked, workspace: given ?? workspace })).task;
  };
  const ended = (task: string): Promise<Ran> => follow(door(), task);
  return {
    ...host,
    submit,
    ended,
    run: async (goal, asked) => ended(await submit(goal, asked)),
    until: (task, says) => look(door(), task, says),
    later: (task, says) => vi.waitFor(() => find(door(), task, says), { timeout: PATIENCE_MS }),
    add: (card) => door().call('_hca/holon/add', { card: { ...LEAF, ...card } }),
  };
};

/** A leaf with the scripted harness below the default holarchy's engineering; what a scenario says otherwise comes on top. */
const LEAF: Omit<Card, 'id'> & { role: HolonCard['role'] } = {
  role: 'leaf',
  parent: 'engineering',
  domain: 'engineering',
  harness: 'certification',
  tools: ['shell.run', 'filesystem.read_file', 'filesystem.write_file'],
};

const follow = async (door: Door, task: string): Promise<Ran> => {
  const entries: Entry[] = [];
  for await (const slice of door.watch(task, {})) entries.push(...slice.entries);
  return { task, entries, view: await door.call('_hca/task/get', { task }) };
};

const look = async (door: Door, task: string, says: (entry: Entry) => boolean): Promise<Entry> => {
  for await (const slice of door.watch(task, {})) {
    const found = slice.entries.find(says);
    if (found !== undefined) return found;
  }
  throw new Error(`${task} ended without saying it`);
};

const find = async (door: Door, task: string, says: (entry: Entry) => boolean): Promise<Entry> => {
  const { entries } = await door.call('_hca/task/journal', { task, limit: 1000 });
  const found = entries.find(says);
  if (found === undefined) throw new Error(`${task} has not said it`);
  return found;
};

/** Every node of a tree, the root first. */
export const nodesOf = (tree: TreeNode): TreeNode[] => [tree, ...tree.children.flatMap(nodesOf)];

/** The task of a holon in a tree; the last one when it had several. */
export const taskOf = (tree: TreeNode, holon: string): TreeNode => {
  const found = nodesOf(tree).findLast((node) => node.kind === 'task' && node.holon === holon);
  if (found === undefined) throw new Error(`${holon} has no task in this tree`);
  return found;
};

/** A value made once, by whoever needs it first. */
export const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
