// The ledger as a machine of random commands: never overspent, never negative, repeats change nothing (L2-ITR-04).
import { describe, expect, it } from 'vitest';
import { type Budget, Ledger } from '#shared/contracts/budget.ts';
import { add, fits, ZERO } from '#shared/domain/budget.ts';
import {
  closeLedger,
  commit,
  creditParent,
  grantChild,
  openLedger,
  release,
  reserve,
  restOf,
  settleOpen,
  spend,
  spentOf,
} from '#shared/domain/ledger.ts';
import { closeInto, grantInto } from '#shared/domain/ledger-pair.ts';
import { budget, isSane } from './samples.ts';

const used = (ledger: Ledger): Budget =>
  Object.values(ledger.open).reduce(add, add(add(ledger.committed, ledger.granted_to_children), ledger.returned));

const expectSound = (ledger: Ledger): void => {
  expect(Ledger.parse(ledger)).toEqual(ledger);
  expect([ledger.committed, ledger.granted_to_children, ledger.returned, restOf(ledger)].every(isSane)).toBe(true);
  expect(fits(used(ledger), ledger.granted)).toBe(true);
};

describe('movements of one ledger', () => {
  it('reserves, commits at most what was reserved, and frees the rest', () => {
    const opened = openLedger('t', budget(10));
    const reserved = reserve(opened, 'call-1', budget(6))!;
    expect(restOf(reserved)).toEqual(budget(4));
    expect(reserve(reserved, 'call-2', budget(5))).toBeNull();
    const committed = commit(reserved, 'call-1', budget(9, { tokens: 2 }));
    expect(committed.committed).toEqual(budget(6, { tokens: 2 }));
    expect(restOf(committed)).toEqual(budget(4, { tokens: 8 }));
  });

  it('gives a released reservation back and spends at once what was not reserved', () => {
    const released = release(reserve(openLedger('t', budget(10)), 'a', budget(6))!, 'a');
    expect(restOf(released)).toEqual(budget(10));
    expect(spend(released, 'b', budget(11))).toBeNull();
    expect(spentOf(spend(released, 'b', budget(10))!)).toEqual(budget(10));
  });

  it('commits at the worst case what is found open at re-entry', () => {
    const two = reserve(reserve(openLedger('t', budget(10)), 'a', budget(3))!, 'b', budget(4))!;
    const settled = settleOpen(two);
    expect(settled.committed).toEqual(budget(7));
    expect(commit(settled, 'a', ZERO)).toEqual(settled);
    expect(settleOpen(settled)).toEqual(settled);
  });

  it('refuses everything when nothing was granted: 0 means refuse', () => {
    const nothing = openLedger('t', ZERO);
    expect(reserve(nothing, 'a', budget(1))).toBeNull();
    expect(spend(nothing, 'a', budget(1))).toBeNull();
    expect(grantChild(nothing, 'a', budget(1)).granted).toBe(false);
  });

  it('returns at closing only what is certainly unspent, and then refuses', () => {
    const busy = reserve(
      commit(reserve(openLedger('t', budget(10)), 'a', budget(3))!, 'a', budget(2)),
      'b',
      budget(4),
    )!;
    const { child, returned } = closeLedger(busy);
    expect(returned).toEqual(budget(4));
    expect(closeLedger(child)).toEqual({ child, returned });
    expect(reserve(child, 'c', budget(1))).toBeNull();
    expect(reserve(child, 'b', budget(1))).toBeNull();
    expect(spend(child, 'c', budget(1))).toBeNull();
    expect(grantChild(child, 'c', budget(1)).granted).toBe(false);
  });

  it('remembers a bounded number of keys and refuses beyond', () => {
    let ledger = openLedger('t', budget(1_000_000));
    for (let n = 0; n < 2100; n += 1) ledger = spend(ledger, `k${n}`, budget(1)) ?? ledger;
    expect(ledger.done).toHaveLength(2000);
    expect(ledger.committed).toEqual(budget(2000));
  });

  it('takes any text for a key', () => {
    const ledger = openLedger('t', budget(10));
    expect(commit(ledger, 'constructor', budget(1))).toEqual(ledger);
    expect(creditParent(ledger, 'toString', budget(1))).toEqual(ledger);
    expect(restOf(reserve(ledger, 'constructor', budget(4))!)).toEqual(budget(6));
  });
});

describe('grants', () => {
  it('keeps a refusal for ever, even when there is room later (V11)', () => {
    const first = grantChild(openLedger('p', budget(10)), 'one', budget(8)).parent;
    const refused = grantChild(first, 'two', budget(5));
    expect(refused.granted).toBe(false);
    const back = creditParent(refused.parent, 'one', budget(8));
    expect(restOf(back)).toEqual(budget(10));
    expect(grantChild(back, 'two', budget(5)).granted).toBe(false);
    expect(grantChild(back, 'three', budget(5)).granted).toBe(true);
  });

  it('credits a key once and never more than its grant', () => {
    const { parent } = grantChild(openLedger('p', budget(10)), 'one', budget(4));
    const back = creditParent(parent, 'one', budget(9));
    expect(restOf(back)).toEqual(budget(10));
    expect(creditParent(back, 'one', budget(4))).toEqual(back);
  });

  it('refuses a grant to a child that was closed before it had a ledger (V12)', () => {
    const parent = openLedger('p', budget(10));
    const closed = closeInto({ parent, child: undefined }, 'c');
    const late = grantInto(closed, { child: 'c', key: 'c#1', amount: budget(4) });
    expect(late.granted).toBe(false);
    expect(restOf(late.parent)).toEqual(budget(10));
    expect(late.child).toEqual(closed.child);
  });

  it('takes only the difference for an accepted counter and credits both keys at the end', () => {
    const first = grantInto(
      { parent: openLedger('p', budget(10)), child: undefined },
      { child: 'c', key: 'c#1', amount: budget(4) },
    );
    const more = grantInto(first, { child: 'c', key: 'c#2', amount: budget(7) });
    expect(more.granted).toBe(true);
    expect(more.child?.granted).toEqual(budget(7));
    expect(restOf(more.parent)).toEqual(budget(3));
    const closed = closeInto({ ...more, child: spend(more.child!, 'x', budget(5))! }, 'c');
    expect(restOf(closed.parent)).toEqual(budget(5));
    expect(closeInto(closed, 'c')).toEqual(closed);
  });

  it('repairs a crash that saved the parent and not the child', () => {
    const before = { parent: openLedger('p', budget(10)), child: undefined };
    const grant = { child: 'c', key: 'c#1', amount: budget(4) };
    const whole = grantInto(before, grant);
    expect(grantInto({ parent: whole.parent, child: undefined }, grant)).toEqual(whole);
  });

  it('40 parallel children, each wanting all, and a reassigned one that still spends: overrun 0', () => {
    let parent = openLedger('p', budget(100));
    const children: Ledger[] = [];
    for (let n = 0; n < 40; n += 1) {
      const after = grantInto({ parent, child: undefined }, { child: `c${n}`, key: `c${n}#1`, amount: budget(7) });
      parent = after.parent;
      if (after.child !== undefined) children.push(after.child);
    }
    expect(children).toHaveLength(14);
    const closed = closeInto({ parent, child: reserve(children[0]!, 'call', budget(3))! }, 'c0');
    expect(spend(closed.child, 'late', budget(1))).toBeNull();
    expect(commit(closed.child, 'call', budget(3))).toEqual(closed.child);
    expect(restOf(closed.parent)).toEqual(budget(6));
    expectSound(closed.parent);
  });
});
