// What needs a decision is thrown once it is committed, and asked for again at the same tick (docs/decisions/0041): whatever happens in between,
// a task ends as undisturbed, and nothing is decided twice.
import { describe, expect, it } from 'vitest';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { AnyRecord, TaskRecord } from '#shared/contracts/task.ts';
import type { ChangeSet } from '#shared/contracts/workspace.ts';
import { fileState } from '#shared/domain/change-set.ts';
import { callStep, isSave, kill, once } from '#test/support/chaos/acts.ts';
import { bench, fine, TURN } from '#test/support/chaos/bench.ts';
import { finalState, journalOf } from '#test/support/chaos/final-state.ts';
import { rivals, twoEvaluators } from '#test/support/chaos/holarchies.ts';
import { type ChaosHouse, type ChaosOptions, openChaosHouse } from '#test/support/chaos/house.ts';
import type { Hook, PortCall } from '#test/support/chaos/intercept.ts';
import { type Submission, submit, TENANT, taskOf } from '#test/support/submit.ts';

const { open } = bench();

/** Every session leaves another text in the same file. */
const quarrel: ChaosOptions['outside'] = (outside) => ({
  ...outside,
  sandbox: {
    ...outside.sandbox,
    archive: async (session): Promise<ChangeSet> => ({
      base: '0'.repeat(64),
      files: [{ path: 'a.txt', before: null, after: fileState(new TextEncoder().encode(`${session}\n`), 'file') }],
    }),
  },
});

const never = (): string => 'not yet';

/** A child is given up after its rival failed too; two children conflict, also when one is done again. */
const STORIES: readonly { name: string; what: Submission; options: ChaosOptions; words: string[] }[] = [
  { name: 'a child fails', what: TURN, options: { found: never, holarchy: rivals }, words: ['escalate'] },
  {
    name: 'two children conflict',
    what: { goal: 'take the left and take the right', to: 'works' },
    options: { outside: quarrel, holarchy: twoEvaluators },
    words: ['conflict', 'conflict'],
  },
];

const savedBy = (call: PortCall): AnyRecord | null => {
  const record = call.name === 'tasks.save' ? (call.args[0] as AnyRecord) : null;
  return record?.last?.at.message === null ? record : null;
};

/** Disturbs the machine behind the n-th save, of those whose word does not go straight on. */
const disturbed = async (
  { what, options }: (typeof STORIES)[number],
  n: number,
  disturb: (record: AnyRecord, house: ChaosHouse) => void,
) => {
  const words: string[] = [];
  const hook: Hook = async (call) => {
    const result = await call.run();
    const record = savedBy(call);
    const word = String(record?.last?.output.word ?? '');
    if (record === null || !['arbitrate', 'conflict', 'escalate'].includes(word)) return result;
    words.push(`${record.last?.step} ${word}`);
    if (words.length === n) disturb(record, house);
    return result;
  };
  const house: ChaosHouse = await openChaosHouse({ ...options, hooks: [hook] });
  house.start();
  const root = await submit(house, what);
  await house.idle();
  return { house, root, words };
};

/** Reviews apart, of which a new generation may ask one more. */
const endOf = async (house: ChaosHouse, root: string): Promise<unknown> => {
  const { records } = await finalState(house, root);
  return Object.entries(records).filter(([, record]) => (record as { kind: string }).kind !== 'review');
};

const conflict = (): never => {
  throw new HcaFault('HcaConflict', { message: 'a test says so, though it was saved' });
};

const killed = ({ last }: AnyRecord, house: ChaosHouse): void => kill(house, last?.caused_by.split('#')[0] ?? '');

describe.each(STORIES)('$name', (story) => {
  it.each([
    ['its save says conflict all the same', conflict],
    ['its machine is killed after it', killed],
  ])('ends as undisturbed when %s, whichever decision it is', async (_how, disturb) => {
    const calm = await disturbed(story, 0, () => undefined);
    const wanted = await endOf(calm.house, calm.root);
    await calm.house.close();
    expect(calm.words).toEqual(expect.arrayContaining(story.words.map((word) => `collect ${word}`)));
    for (let n = 1; n <= calm.words.length; n += 1) {
      const { house, root } = await disturbed(story, n, disturb);
      await fine(house, root);
      expect(await endOf(house, root), `${n}: ${calm.words[n - 1]}`).toEqual(wanted);
      await house.close();
    }
  });
});

/** The payload with which the machine asks Collect, or Regroup, behind the record's last change. */
const again = ({ id, last }: TaskRecord) => ({
  tenant: TENANT,
  record: id,
  execution: last?.caused_by.split('#')[0] ?? '',
  tick: last?.at.tick ?? 0,
});

describe('between Collect and Regroup', () => {
  const [story] = STORIES;
  const failing = { ...story?.options };

  it('a lost answer is given again, with the word or by name, and changes nothing; later it is a zombie', async () => {
    const told: unknown[] = [];
    let input: object = {};
    const ask = async (house: ChaosHouse, more: object) =>
      callStep(house, 'collect', { ...input, ...more }).catch((error: Error) => error.name);
    const twice = once(
      ({ name, args }) => name === 'journal.append' && (args[0] as { step: string }).step === 'collect',
      async () => {
        const before = await taskOf(house, root);
        input = again(before);
        told.push(await ask(house, { retry: 1 }), await ask(house, { unsettled: true }));
        expect(await taskOf(house, root)).toEqual(before);
      },
      'after',
    );
    const house: ChaosHouse = await open({ ...failing, hooks: [twice] });
    const root = await submit(house, TURN);
    await house.idle();
    told.push(await ask(house, { unsettled: true }));
    expect(told).toEqual(['HcaUnsettled', { word: 'escalate', wave: [] }, 'HcaStale']);
    const entries = (await journalOf(house, root)).filter(({ record, step }) => record === root && step === 'collect');
    expect(entries).toHaveLength(1);
    await fine(house, root);
  });

  it('a cancel is heeded by the step after them', async () => {
    const stop = once(
      (call) => isSave(call, 'collect', 'task'),
      () => house.ports.marks.set(TENANT, root, 'a person asked'),
      'after',
    );
    const house: ChaosHouse = await open({ ...failing, hooks: [stop] });
    const root = await submit(house, TURN);
    await house.idle();
    expect((await taskOf(house, root)).state).toBe('cancelled');
    await fine(house, root);
  });
});

it('a verdict that failed is never accepted, though a new generation has not asked its review yet', async () => {
  const told: unknown[] = [];
  const byHand = once(
    (call) => isSave(call, 'verdict', 'task'),
    async () => {
      const judged = await taskOf(house, root);
      expect(judged).toMatchObject({ state: 'reviewing', verdict: { result: 'fail', review: judged.review } });
      const input = { ...again(judged), execution: `${root}-2`, tick: 1 };
      told.push(await callStep(house, 'plan', input));
      told.push(await callStep(house, 'accept', { ...input, tick: 3 }).catch((error: Error) => error.name));
      expect(await taskOf(house, root)).toMatchObject({ state: 'reviewing', result: null });
    },
    'after',
  );
  const house: ChaosHouse = await open({ hooks: [byHand] });
  const root = await submit(house, { ...TURN, to: 'turner' });
  await house.idle();
  expect(told).toEqual([expect.objectContaining({ word: 'review' }), 'HcaUnsettled']);
});
