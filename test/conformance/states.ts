// The tables of states as the requirements state them, written out a second time on purpose: the product's own table is what is tested.

type Moves = Readonly<Record<string, readonly string[]>>;

/** Where a phase may always go. */
const ANY = ['escalating', 'waiting', 'cancelling'];

/** A task in a holon. */
export const MOVES: Moves = {
  submitted: ['offered', 'cancelled'],
  offered: ['countered', 'agreed', 'rejected', 'cancelled'],
  countered: ['offered', 'cancelled'],
  agreed: ['planning', ...ANY],
  planning: ['working', 'delegating', ...ANY],
  working: ['reviewing', ...ANY],
  delegating: ['collecting', ...ANY],
  collecting: ['delegating', 'reviewing', ...ANY],
  reviewing: ['revising', 'accepting', ...ANY],
  revising: ['planning', ...ANY],
  accepting: ['compounding', 'cancelling'],
  escalating: ['compounding', 'cancelling'],
  compounding: ['completed', 'escalated', 'cancelling'],
  cancelling: ['cancelled'],
  rejected: [],
  completed: [],
  escalated: [],
  cancelled: [],
};

/** A review in its evaluator. */
export const REVIEW_MOVES: Moves = { requested: ['judging'], judging: ['told'], told: [] };
