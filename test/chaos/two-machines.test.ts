// A task's holon may become one of the other kind while it runs: the next generation goes on in the other machine. And what Collect settles is settled
// once, whoever comes between (docs/decisions/0047).
import { describe, expect, it } from 'vitest';
import { HolarchyFile, type HolonCard } from '#shared/contracts/holon.ts';
import type { DelegationRecord, TaskRecord } from '#shared/contracts/task.ts';
import { callStep, isSave, kill, once } from '#test/support/chaos/acts.ts';
import { bench, fine, TURN, theDelegation, waitOf } from '#test/support/chaos/bench.ts';
import { journalOf } from '#test/support/chaos/final-state.ts';
import { twoEvaluators } from '#test/support/chaos/holarchies.ts';
import type { ChaosHouse } from '#test/support/chaos/house.ts';
import { leaf } from '#test/support/no-op-house.ts';
import { submit, TENANT, taskOf } from '#test/support/submit.ts';

const { open } = bench();

/** The holarchy with some cards replaced or added. */
const changed = (cards: readonly Partial<HolonCard>[]): HolarchyFile => {
  const ids = new Set(cards.map(({ id }) => id));
  const others = twoEvaluators.holons.filter(({ id }) => !ids.has(id));
  return HolarchyFile.parse({ ...twoEvaluators, holons: [...others, ...cards] });
};

/** A leaf that failed becomes a coordinator before its second attempt, a coordinator becomes a leaf between its answer and its plan. */
const CHANGES: readonly {
  to: string;
  kind: 'leaf' | 'coordinator';
  behind: 'answer' | 'revise';
  after: HolarchyFile;
}[] = [
  {
    to: 'turner',
    kind: 'leaf',
    behind: 'revise',
    after: changed([
      { id: 'turner', role: 'domain', parent: 'works', can_delegate: true },
      leaf('apprentice', 'turner', ['turn']),
    ]),
  },
  {
    to: 'works',
    kind: 'coordinator',
    behind: 'answer',
    after: changed([
      leaf('works', 'root', ['turn']),
      leaf('turner', 'root', ['turn']),
      leaf('lefty', 'root', ['left']),
      leaf('righty', 'root', ['right']),
    ]),
  },
];

describe('a holon that becomes one of the other kind while its task runs', () => {
  it.each(CHANGES)('$to, begun as a $kind: it goes on in the other machine and completes', async (change) => {
    const { to, kind, behind, after } = change;
    const changing = once(
      (call) => isSave(call, behind, 'task') && (call.args[0] as TaskRecord).holon === to,
      () => house.storage.holons.load(TENANT, after),
      'after',
    );
    const house: ChaosHouse = await open({ holarchy: twoEvaluators, hooks: [changing] });
    const root = await submit(house, { ...TURN, to });
    await house.idle();
    expect(await taskOf(house, root)).toMatchObject({ state: 'completed', generation: 2, machine: kind });
    const other = kind === 'leaf' ? 'coordinator' : 'leaf';
    const ends = [kind, other].map((machine, n) => house.asl.describe({ machine, name: `${root}-${n + 1}` }));
    expect(ends.map((end) => [end?.status, end?.error ?? null])).toEqual([
      ['FAILED', 'HcaOtherKind'],
      ['SUCCEEDED', null],
    ]);
    await fine(house, root);
  });
});

describe('a child that completes', () => {
  const settles = (call: Parameters<typeof isSave>[0]): boolean => isSave(call, 'settle', 'delegation');

  it('is not taken as completed because somebody resolved its token by hand: it is waited for again', async () => {
    const byHand = once(
      (call) => isSave(call, 'work', 'task'),
      async () => {
        const { token } = (await house.ports.waits.read(TENANT, waitOf(await theDelegation(house, root)))) ?? {};
        if (token != null) await house.ports.workflows.succeed(token);
      },
    );
    const house: ChaosHouse = await open({ hooks: [byHand] });
    const root = await submit(house, TURN);
    await house.idle();
    const texts = (await journalOf(house, root)).filter(({ record, step }) => record === root && step === 'collect');
    expect(texts.map(({ text }) => text)).toEqual([
      'waits again for turner: not completed',
      'collected 1 result(s) of wave 1',
    ]);
    expect(await taskOf(house, root)).toMatchObject({ state: 'completed', child_verdicts: [{ result: 'pass' }] });
    await fine(house, root);
  });

  it('is settled once when the parent is killed before it is settled, while it is, and after', async () => {
    for (const step of ['collect', 'settle'] as const)
      for (const when of ['before', 'after'] as const) {
        const killed = once(
          (call) => isSave(call, step, step === 'collect' ? 'task' : 'delegation'),
          async () => kill(house, `${root}-1`),
          when,
        );
        const house: ChaosHouse = await open({ hooks: [killed], holarchy: twoEvaluators });
        const root = await submit(house, TURN);
        await house.idle();
        expect((await taskOf(house, root)).state, `${when} ${step}`).toBe('completed');
        const { id } = await theDelegation(house, root);
        const entries = (await journalOf(house, root)).filter(({ record }) => record === id);
        expect(entries.filter(({ step: of }) => of === 'settle').map(({ text }) => text)).toEqual([
          'turner completed it',
        ]);
        expect((await house.ports.ledger.read(TENANT, `${id}_1`))?.closed, `${when} ${step}`).toBe(true);
        await fine(house, root);
      }
  });

  it('and whose delegation somebody changed in between is left as that one left it', async () => {
    const seen: DelegationRecord[] = [];
    const between = once(settles, async () => {
      const before = await theDelegation(house, root);
      const again = { tenant: TENANT, record: before.id, execution: `${root}-2`, tick: 2000, token: 'a zombie' };
      await callStep(house, 'delegate', again);
      seen.push(await theDelegation(house, root));
    });
    const house: ChaosHouse = await open({ hooks: [between] });
    const root = await submit(house, TURN);
    await house.idle();
    expect(seen.map(({ generation, state }) => [generation, state])).toEqual([[2, 'offered']]);
    expect((await taskOf(house, root)).state).toBe('completed');
    expect(house.witness.illegal).toEqual([]);
    expect(house.witness.twice).toEqual([]);
  });
});
