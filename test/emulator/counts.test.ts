// What a task costs is counted on stand-ins (`npm run cost`). Here the same shapes run through the deployed door, and what happened there is counted and
// compared: states, invocations, messages, objects, items. A count that drifts from the model by anything but the reasons given here is red.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HolarchyFile, type HolonCard } from '#shared/contracts/holon.ts';
import type { Message } from '#shared/contracts/messages.ts';
import { type TaskShape, usageOf } from '#shared/domain/usage-model.ts';
import { openDeployed } from '#test/conformance/hosts/deployed.ts';
import type { Host } from '#test/conformance/hosts/host.ts';
import { type Stack, stackOf } from '#test/conformance/hosts/stack.ts';
import { between, type Happened, happened } from './happened.ts';
import { openTap, type Tap } from './tap.ts';

/** A loaded machine takes half a minute for a task. */
const PATIENCE = { timeout: 150_000, interval: 500 };

/** Of these nothing is in the model but their requests and one waking for each entry: the door itself, pushes to watchers, looks of each minute. */
const ASIDE = ['acp', 'authorize', 'stream', 'sweep', 'upkeep'];
/** The door writes one entry, that a goal was submitted; the model begins behind it. */
const OF_DOOR = 1;
/** Where a machine begins before the entry of the answer is written, both messages of the answer are said again. In the model it always does so at the root. */
const ANSWERS: readonly string[] = ['hca/task/delegate.result', 'hca/task/negotiate'];

const tools = ['shell.run', 'filesystem.read_file', 'filesystem.write_file'];
const capacity = 1000;
const domain = (id: string): Partial<HolonCard> => ({
  id,
  role: 'domain',
  parent: 'root',
  can_delegate: true,
  capacity,
});
const leaf = (id: string, parent: string, family: string): Partial<HolonCard> => ({
  ...{ id, role: 'leaf', parent, harness: 'certification', tools, capacity },
  families: [family],
});

const holons = [
  { id: 'root', role: 'root', can_delegate: true, capacity },
  { id: 'judge', role: 'leaf', parent: 'root', evaluates: true, tools, capacity },
  leaf('near', 'root', 'certify-fail'),
  domain('works'),
  leaf('far', 'works', 'certify-accept'),
  domain('edits'),
  leaf('editor', 'edits', 'certify-edit'),
];

const NONE: TaskShape = { leaves: 0, coordinators: 0, further_children: 0, revisions: 0 };
const SHAPES: [string, string, TaskShape][] = [
  ['root > leaf', 'certify: fail review 0 times', { ...NONE, leaves: 1, coordinators: 1 }],
  ['one revision', 'certify: fail review 1 time', { ...NONE, leaves: 1, coordinators: 1, revisions: 1 }],
  ['root > domain > leaf', 'certify: accept', { ...NONE, leaves: 1, coordinators: 2 }],
];

describe.runIf(process.env.HCA_TEST_STACKS !== undefined)('what a task uses in the deployed house', () => {
  let stack: Stack;
  let host: Host;
  let tap: Tap;
  beforeAll(async () => {
    stack = stackOf(process.env);
    host = await openDeployed();
    const { policy } = await host.door().call('_hca/holarchy/show', {});
    await host
      .door()
      .call('_hca/holarchy/apply', { file: HolarchyFile.parse({ version: 1, policy, holons }), force: true });
    tap = await openTap();
  });
  afterAll(async () => {
    await tap.close();
    await host.close();
  });

  /** Counts once nothing is said and done any more. */
  const settled = async (): Promise<Happened> => {
    let last: Happened | undefined;
    return vi.waitFor(async () => {
      const before = last;
      last = await happened(stack);
      expect(busy(last)).toEqual(before === undefined ? undefined : busy(before));
      return last;
    }, PATIENCE);
  };

  const ran = async (goal: string): Promise<Happened & { said: Message[] }> => {
    const before = await settled();
    await tap.heard();
    const workspace = (await host.given(host.folder()))!;
    const { task } = await host.door().call('_hca/task/submit', { goal, workspace });
    const ended = async () => expect((await host.door().call('_hca/task/get', { task })).outcome).toBe('accepted');
    await vi.waitFor(ended, PATIENCE);
    return { ...between(before, await settled()), said: await tap.heard() };
  };

  it.each(SHAPES)('is what the model says: %s', { timeout: 400_000 }, async (_name, goal, shape) => {
    const used = await ran(goal);
    const model = usageOf(shape);
    const repeats = repeated(used.said);
    const tasks = shape.leaves + shape.coordinators;
    expect(repeats.filter(({ method }) => !ANSWERS.includes(method))).toEqual([]);
    expect(used.events).toBe(used.said.length);
    expect(used.transitions).toBe(model.transitions);
    expect(model.events - (used.events - repeats.length)).toBeOneOf([0, ANSWERS.length]);
    expect(stepsOf(used) + used.entries - OF_DOOR - repeats.length).toBe(model.invocations);
    expect(used.invocations.stream).toBeLessThanOrEqual(used.entries + LOOKS);
    expect(used.objects).toBe(model.puts);
    // One item for an entry, and a claim to its place for those that no version of a record is behind.
    expect(used.items.journal).toBeLessThan(2 * used.entries);
    expect(used.items).toMatchObject({
      tasks: tasks + (tasks - 1) + tasks + shape.revisions,
      waits: tasks - 1 + tasks + shape.revisions,
      ledger: tasks,
    });
  });
});

/** Of each minute; the longest task here takes a few. */
const LOOKS = 6;

const busy = ({ invocations, ...others }: Happened) => ({ ...others, steps: stepsOf({ invocations }) });

const stepsOf = ({ invocations }: Pick<Happened, 'invocations'>): number =>
  Object.entries(invocations).reduce((sum, [name, count]) => (ASIDE.includes(name) ? sum : sum + count), 0);

/** Messages with an id that was there before. */
const repeated = (said: readonly Message[]): Message[] =>
  said.filter(({ id }, index) => said.findIndex((other) => other.id === id) < index);
