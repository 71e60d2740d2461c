// The ledger of one task as pure reducers, used by every ledger adapter (architecture section 8; L2-PLN-03, L2-ITR-04; pitfalls 4 to 9).
// Always: committed + open + granted_to_children + returned <= granted. Every movement is keyed and a repeat changes nothing.
import type { Budget, Ledger } from '#shared/contracts/budget.ts';
import { add, fits, least, minus, ZERO } from '#shared/domain/budget.ts';

/** Keys one ledger remembers at most; a movement beyond is refused. 2,000 keys of 40 characters are 80 KB, below the 100 KB of a record. */
const MAX_KEYS = 2000;

/** A new ledger. `parent`: whose grant the budget is, and under which key; null for a root. */
export function openLedger(task: string, budget: Budget, parent: { task: string; key: string } | null = null): Ledger {
  return {
    task,
    parent: parent === null ? null : { task: parent.task, keys: [parent.key] },
    granted: budget,
    committed: ZERO,
    open: {},
    done: [],
    granted_to_children: ZERO,
    grants: {},
    closed: false,
    returned: ZERO,
  };
}

/** What may still be used: granted - committed - open - granted_to_children (net of what came back) - returned; never negative. */
export function restOf(ledger: Ledger): Budget {
  const used = Object.values(ledger.open).reduce(add, add(ledger.committed, ledger.granted_to_children));
  return minus(ledger.granted, add(used, ledger.returned));
}

/** What is used or promised: committed, plus what children got and did not give back. */
export const spentOf = (ledger: Ledger): Budget => add(ledger.committed, ledger.granted_to_children);

/**
 * Takes `amount` aside; null when the rest does not cover it or the ledger is closed. A refusal leaves no trace, so it may be asked again;
 * a key that is open or done answers as before and takes nothing (a key names one call: a new call needs a new key).
 */
export function reserve(ledger: Ledger, key: string, amount: Budget): Ledger | null {
  if (ledger.closed) return null;
  if (isKnown(ledger, key)) return ledger;
  if (!hasRoom(ledger) || !fits(amount, restOf(ledger))) return null;
  return { ...ledger, open: { ...ledger.open, [key]: amount } };
}

/** Turns a reservation into spending, at most what was reserved; the rest of it is free again. Unknown or done keys change nothing. */
export function commit(ledger: Ledger, key: string, amount: Budget): Ledger {
  const reserved = reservedUnder(ledger, key);
  if (reserved === null) return ledger;
  const { [key]: _settled, ...open } = ledger.open;
  return { ...ledger, open, done: [...ledger.done, key], committed: add(ledger.committed, least(amount, reserved)) };
}

/** Gives a whole reservation back: a commit of nothing. */
export const release = (ledger: Ledger, key: string): Ledger => commit(ledger, key, ZERO);

/** Spends without a reservation; null when the rest does not cover it or the ledger is closed. A known key changes nothing. */
export function spend(ledger: Ledger, key: string, amount: Budget): Ledger | null {
  if (isKnown(ledger, key)) return ledger;
  if (ledger.closed || !hasRoom(ledger) || !fits(amount, restOf(ledger))) return null;
  return { ...ledger, done: [...ledger.done, key], committed: add(ledger.committed, amount) };
}

/** Commits everything found open at its worst case, the reserved amount (re-entry after a crash: the call may have been made). */
export const settleOpen = (ledger: Ledger): Ledger =>
  Object.entries(ledger.open).reduce((settled, [key, amount]) => commit(settled, key, amount), ledger);

/** Takes a child's budget out of the rest. The answer is stored under the key and final, a refusal too (delivery trace V11). */
export function grantChild(parent: Ledger, key: string, amount: Budget): { parent: Ledger; granted: boolean } {
  const known = noteUnder(parent, key);
  if (known !== null) return { parent, granted: known.granted };
  if (!hasRoom(parent)) return { parent, granted: false }; // final too: keys are never forgotten
  if (parent.closed || !fits(amount, restOf(parent)))
    return { parent: refuseGrant(parent, key, amount), granted: false };
  const grants = { ...parent.grants, [key]: { amount, granted: true, returned: null } };
  return {
    parent: { ...parent, grants, granted_to_children: add(parent.granted_to_children, amount) },
    granted: true,
  };
}

/** Remembers a refusal under a key that has no answer yet. */
export function refuseGrant(parent: Ledger, key: string, amount: Budget): Ledger {
  if (noteUnder(parent, key) !== null || !hasRoom(parent)) return parent;
  return { ...parent, grants: { ...parent.grants, [key]: { amount, granted: false, returned: null } } };
}

/**
 * Closes: what is open counts as spent, and so does what children still have (a credit that comes later stays here and is not used); the
 * rest goes back. Closed twice, it answers the same amount again.
 */
export function closeLedger(child: Ledger): { child: Ledger; returned: Budget } {
  if (child.closed) return { child, returned: child.returned };
  const settled = settleOpen(child);
  const returned = restOf(settled);
  return { child: { ...settled, closed: true, returned }, returned };
}

/** Takes back what a closed child did not use, once for a key and never more than the key's grant. */
export function creditParent(parent: Ledger, key: string, returned: Budget): Ledger {
  const note = noteUnder(parent, key);
  if (note === null || !note.granted || note.returned !== null) return parent;
  const back = least(returned, note.amount);
  const grants = { ...parent.grants, [key]: { ...note, returned: back } };
  return { ...parent, grants, granted_to_children: minus(parent.granted_to_children, back) };
}

const isKnown = (ledger: Ledger, key: string): boolean =>
  reservedUnder(ledger, key) !== null || ledger.done.includes(key);

const hasRoom = (ledger: Ledger): boolean =>
  ledger.done.length + Object.keys(ledger.open).length + Object.keys(ledger.grants).length < MAX_KEYS;

// A key may be any text, "constructor" included: only own properties count.
const reservedUnder = (ledger: Ledger, key: string): Budget | null =>
  Object.hasOwn(ledger.open, key) ? (ledger.open[key] ?? null) : null;

const noteUnder = (ledger: Ledger, key: string): Ledger['grants'][string] | null =>
  Object.hasOwn(ledger.grants, key) ? (ledger.grants[key] ?? null) : null;
