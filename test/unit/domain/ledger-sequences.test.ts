// Any sequence of movements on a parent's and its children's ledgers, repeats in any order: overrun 0 (architecture section 8; pitfall 7).
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Budget, Ledger } from '#shared/contracts/budget.ts';
import { add, fits, ZERO } from '#shared/domain/budget.ts';
import { commit, openLedger, release, reserve, restOf, settleOpen, spend } from '#shared/domain/ledger.ts';
import { closeInto, grantInto } from '#shared/domain/ledger-pair.ts';
import { anyBudget, budget, holds, isSane } from './samples.ts';

const KEYS = ['a', 'b', 'c', 'd', 'e'];
const CHILDREN = ['c1', 'c2', 'c3'];
const command = fc.record({
  do: fc.constantFrom('reserve', 'commit', 'release', 'spend', 'settle', 'grant', 'close'),
  on: fc.constantFrom('p', ...CHILDREN),
  key: fc.constantFrom(...KEYS),
  amount: anyBudget(40),
});
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

/** What the command answered, and the world after it. */
const apply = (world: Map<string, Ledger>, one: Command): { after: Map<string, Ledger>; answer: boolean } => {
  const after = new Map(world);
  const ledger = world.get(one.on);
  const parent = world.get('p')!;
  if (one.do === 'grant' && one.on !== 'p') {
    const pair = grantInto(
      { parent, child: ledger },
      { child: one.on, key: `${one.on}#${one.key}`, amount: one.amount },
    );
    after.set('p', pair.parent);
    if (pair.child !== undefined) after.set(one.on, pair.child);
    return { after, answer: pair.granted };
  }
  if (one.do === 'close' && one.on !== 'p') {
    const pair = closeInto({ parent, child: ledger }, one.on);
    return { after: after.set('p', pair.parent).set(one.on, pair.child), answer: true };
  }
  const moved = ledger === undefined ? null : move(ledger, one);
  if (moved !== null) after.set(one.on, moved);
  return { after, answer: moved !== null };
};

const move = (ledger: Ledger, { do: what, key, amount }: Command): Ledger | null => {
  if (what === 'reserve') return reserve(ledger, `r-${key}`, amount);
  if (what === 'commit') return commit(ledger, `r-${key}`, amount);
  if (what === 'release') return release(ledger, `r-${key}`);
  if (what === 'spend') return spend(ledger, `s-${key}`, amount);
  return what === 'settle' ? settleOpen(ledger) : ledger;
};

const sum = (amounts: readonly Budget[]): Budget => amounts.reduce(add, ZERO);

const expectSound = (ledger: Ledger): void => {
  expect(Ledger.parse(ledger)).toEqual(ledger);
  expect([ledger.committed, ledger.granted_to_children, ledger.returned, restOf(ledger)].every(isSane)).toBe(true);
  const used = [...Object.values(ledger.open), ledger.committed, ledger.granted_to_children, ledger.returned];
  expect(fits(sum(used), ledger.granted)).toBe(true);
};

/** A closed ledger neither spends nor gets anything any more. */
const expectClosed = (before: Ledger | undefined, after: Ledger): void => {
  if (before?.closed !== true) return;
  expect(after).toMatchObject({ closed: true, committed: before.committed, open: {}, granted: before.granted });
};

/** A grant's first answer is its answer for ever. */
const expectFinal = (finals: Map<string, boolean>, one: Command, answer: boolean): void => {
  if (one.do !== 'grant' || one.on === 'p') return;
  const key = `${one.on}#${one.key}`;
  expect(finals.get(key) ?? answer).toBe(answer);
  finals.set(key, answer);
};

describe('any sequence of movements, repeats in any order', () => {
  it('never overspends, never goes below 0, answers a repeat as before and changes nothing by it', () => {
    holds(
      fc.property(fc.array(command, { maxLength: 80 }), anyBudget(100), (commands, granted) => {
        let world = new Map([['p', openLedger('p', granted)]]);
        const finals = new Map<string, boolean>();
        for (const one of commands) {
          const { after, answer } = apply(world, one);
          expect(apply(after, one)).toEqual({ after, answer });
          for (const [id, ledger] of after) {
            expectSound(ledger);
            expectClosed(world.get(id), ledger);
          }
          const everything = [...after.values()].flatMap((ledger) => [ledger.committed, ...Object.values(ledger.open)]);
          expect(fits(sum(everything), granted)).toBe(true);
          expectFinal(finals, one, answer);
          world = after;
        }
      }),
      400,
    );
  });

  it('gives back to the parent exactly what the children did not use', () => {
    holds(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const closes = CHILDREN.map((on): Command => ({ do: 'close', on, key: 'a', amount: ZERO }));
        const start = new Map([['p', openLedger('p', budget(100))]]);
        const world = [...commands, ...closes].reduce((now, one) => apply(now, one).after, start);
        const spentBelow = sum(CHILDREN.map((id) => world.get(id)!.committed));
        expect(world.get('p')!.granted_to_children).toEqual(spentBelow);
      }),
    );
  });
});
