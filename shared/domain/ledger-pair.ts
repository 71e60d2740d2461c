// Movements between a parent's ledger and a child's, both items at once: grants and closing (architecture sections 3 and 8).
// Each repeats harmlessly, in any order, also when a crash saved the parent and not the child (delivery traces V11 and V12).
import type { Budget, Ledger } from '#shared/contracts/budget.ts';
import { add, minus, ZERO } from '#shared/domain/budget.ts';
import { closeLedger, creditParent, grantChild, openLedger, refuseGrant } from '#shared/domain/ledger.ts';

/** Both sides of a grant or a closing; `child` is undefined before its ledger was opened. */
export interface LedgerPair {
  parent: Ledger;
  child: Ledger | undefined;
}

/** The whole budget a child is to have, and the key that names the grant. */
export interface Grant {
  child: string;
  key: string;
  amount: Budget;
}

/**
 * Grants a child its budget and opens its ledger; under a new key (an accepted counter) it raises the open one of the same child to the
 * new budget, so that only the difference is taken.
 * Refused, finally, when the parent's rest does not cover it or the child's ledger is closed, be it as a tombstone.
 */
export function grantInto(pair: LedgerPair, grant: Grant): LedgerPair & { granted: boolean } {
  if (pair.child?.closed === true) return { ...grantClosed(pair, grant), child: pair.child };
  const extra = minus(grant.amount, pair.child?.granted ?? ZERO);
  const { parent, granted } = grantChild(pair.parent, grant.key, extra);
  return { parent, child: granted ? receive(pair.child, parent, grant) : pair.child, granted };
}

/** Closes a child's ledger, a tombstone where there is none, and credits its parent with what is certainly unspent, once. */
export function closeInto(pair: LedgerPair, task: string): { parent: Ledger; child: Ledger } {
  const { child, returned } = closeLedger(pair.child ?? openLedger(task, ZERO));
  let left = returned;
  let parent = pair.parent;
  for (const key of child.parent?.keys ?? []) {
    const before = parent.granted_to_children;
    parent = creditParent(parent, key, left);
    left = minus(left, minus(before, parent.granted_to_children));
  }
  return { parent, child };
}

/** A grant that reached the child before it was closed keeps its answer; one that never did goes back whole. */
function grantClosed(pair: LedgerPair, grant: Grant): { parent: Ledger; granted: boolean } {
  if (pair.child?.parent?.keys.includes(grant.key) === true) return { parent: pair.parent, granted: true };
  const refused = refuseGrant(pair.parent, grant.key, grant.amount);
  return { parent: creditParent(refused, grant.key, grant.amount), granted: false };
}

/** Adds what the parent's note says was taken, once for a key. */
function receive(child: Ledger | undefined, parent: Ledger, grant: Grant): Ledger {
  const amount = parent.grants[grant.key]?.amount ?? ZERO;
  if (child === undefined) return openLedger(grant.child, amount, { task: parent.task, key: grant.key });
  const keys = child.parent?.keys ?? [];
  if (keys.includes(grant.key)) return child;
  return {
    ...child,
    parent: { task: parent.task, keys: [...keys, grant.key] },
    granted: add(child.granted, amount),
  };
}
