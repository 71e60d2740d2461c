// The ledger: one item per task, every movement keyed, nothing ever overspent (architecture section 8, pitfalls 4 to 9).
import type { Budget, Ledger as LedgerItem } from '#shared/contracts/budget.ts';

export interface LedgerRead {
  /** The ledger of a task, or undefined before it was opened. */
  read(tenant: string, task: string): Promise<LedgerItem | undefined>;
}

/** Movements by a step that spends: reserve before a call, commit after, the rest is released. */
export interface LedgerCall extends LedgerRead {
  /** Takes `amount` aside under a key; false when the rest does not cover it or the ledger is closed. Same key: same answer. */
  reserve(tenant: string, task: string, movement: { key: string; amount: Budget }): Promise<boolean>;
  /** Turns the reservation into spending, at most what was reserved; idempotent. */
  commit(tenant: string, task: string, movement: { key: string; amount: Budget }): Promise<void>;
  /** Commits every reservation found open at its worst case (re-entry after a crash). */
  settleOpen(tenant: string, task: string): Promise<void>;
}

/** Movements by `perform` for the effects of a change. */
export interface Ledger extends LedgerCall {
  open(tenant: string, task: string, budget: Budget): Promise<void>;
  /** Takes a child's budget out of its parent's rest and opens the child's ledger; the answer is stored under the key and final. */
  grant(tenant: string, grant: { parent: string; child: string; key: string; budget: Budget }): Promise<boolean>;
  /** Spends without a reservation; false when the rest does not cover it. */
  spend(tenant: string, task: string, movement: { key: string; amount: Budget }): Promise<boolean>;
  /** Closes (a tombstone if it was never opened): later grants and reserves are refused, what is certainly unspent goes back to the parent once. */
  close(tenant: string, task: string): Promise<void>;
}
