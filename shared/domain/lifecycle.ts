// The tables of states and moves, the only place of the house that knows them (L2-FSM-01, L2-FSM-02, L2-FSM-03; requirements section 4).
// Staying where one is is no move and always allowed; anything that is not in a table is a bug of ours, never a warning.
import type { HolonState } from '#shared/contracts/holon.ts';
import type { AnyRecord, DelegationRecord, ReviewRecord, TaskRecord, TaskState } from '#shared/contracts/task.ts';

/** Where a phase of the loop may always go: up, to a halt, or to an approval or clarification. */
const ALWAYS = ['escalating', 'waiting', 'cancelling'] as const;

/**
 * Task in a holon. Before agreement a cancel has nothing to wait for and goes straight to `cancelled`. From `waiting` a task goes back to
 * its `resume_to`, or up when what it waited for failed.
 */
export const TASK_MOVES: Readonly<Record<TaskState, readonly TaskState[]>> = {
  submitted: ['offered', 'cancelled'],
  offered: ['countered', 'agreed', 'rejected', 'cancelled'],
  countered: ['offered', 'cancelled'],
  agreed: ['planning', ...ALWAYS],
  planning: ['working', 'delegating', ...ALWAYS],
  working: ['reviewing', ...ALWAYS],
  delegating: ['collecting', ...ALWAYS],
  collecting: ['delegating', 'reviewing', ...ALWAYS],
  reviewing: ['revising', 'accepting', ...ALWAYS],
  revising: ['planning', ...ALWAYS],
  waiting: [
    'agreed',
    'planning',
    'working',
    'delegating',
    'collecting',
    'reviewing',
    'revising',
    'escalating',
    'cancelling',
  ],
  accepting: ['compounding', 'cancelling'],
  escalating: ['compounding', 'cancelling'],
  compounding: ['completed', 'escalated', 'cancelling'],
  cancelling: ['cancelled'],
  rejected: [],
  completed: [],
  escalated: [],
  cancelled: [],
};

/** Holon (L2-FSM-02). Coming back after `offline` is a new registration of the card, not a move. */
export const HOLON_MOVES: Readonly<Record<HolonState, readonly HolonState[]>> = {
  ready: ['draining'],
  draining: ['offline'],
  offline: [],
};

/** Review in its evaluator. */
export const REVIEW_MOVES: Readonly<Record<ReviewRecord['state'], readonly ReviewRecord['state'][]>> = {
  requested: ['judging'],
  judging: ['told'],
  told: [],
};

/** Delegation in the parent: Delegate, Settle, Arbitrate, then Delegate again or an end. */
export const DELEGATION_MOVES: Readonly<Record<DelegationRecord['state'], readonly DelegationRecord['state'][]>> = {
  planned: ['offered', 'failed'],
  offered: ['settled', 'arbitrating', 'done', 'failed'],
  settled: ['arbitrating', 'done', 'failed'],
  arbitrating: ['planned', 'offered', 'done', 'failed'],
  done: [],
  failed: [],
};

/** What a holon with several open tasks is said to be doing: the first of these that one of them is in. */
const PROMINENCE: readonly TaskState[] = [
  'working',
  'reviewing',
  'collecting',
  'delegating',
  'planning',
  'revising',
  'accepting',
  'escalating',
  'compounding',
  'cancelling',
  'waiting',
  'agreed',
  'countered',
  'offered',
  'submitted',
];

/** True when the move is in the table, or is none (L2-FSM-01). */
export const canMoveTask = (from: TaskState, to: TaskState): boolean => isMove(TASK_MOVES, from, to);

/** The new state of a task; throws a plain Error (a bug) on a move that is not in the table (L2-FSM-01). */
export const moveTask = (from: TaskState, to: TaskState): TaskState => move(TASK_MOVES, from, to);

/** True when a card may be replaced by one in the other state: a move of the table, or a new registration after `offline` (L2-FSM-02). */
export const canMoveHolon = (from: HolonState, to: HolonState): boolean =>
  from === 'offline' || isMove(HOLON_MOVES, from, to);

/** The new state of a holon; throws like `moveTask` (L2-FSM-02). */
export const moveHolon = (from: HolonState, to: HolonState): HolonState => move(HOLON_MOVES, from, to);

/** The new state of a review; throws like `moveTask`. */
export const moveReview = (from: ReviewRecord['state'], to: ReviewRecord['state']): ReviewRecord['state'] =>
  move(REVIEW_MOVES, from, to);

/** The new state of a delegation; throws like `moveTask`. */
export const moveDelegation = (
  from: DelegationRecord['state'],
  to: DelegationRecord['state'],
): DelegationRecord['state'] => move(DELEGATION_MOVES, from, to);

/** True for `rejected`, `completed`, `escalated` and `cancelled`: nothing leads out of them. */
export const isTerminal = (state: TaskState): boolean => TASK_MOVES[state].length === 0;

/** Whether a task is over and has not contributed what it taught: `sweep` does it. */
export const owesLesson = (record: AnyRecord): record is TaskRecord =>
  record.kind === 'task' && record.lesson_pending && isTerminal(record.state);

/** What a holon is doing, from the states of its tasks: `ready` when none is open (L1-ST-02, L2-FSM-02, L2-FSM-03). */
export const holonActivity = (openTasks: readonly TaskState[]): string =>
  PROMINENCE.find((state) => openTasks.includes(state)) ?? 'ready';

function isMove<S extends string>(table: Readonly<Record<S, readonly S[]>>, from: S, to: S): boolean {
  return from === to || table[from].includes(to);
}

function move<S extends string>(table: Readonly<Record<S, readonly S[]>>, from: S, to: S): S {
  if (isMove(table, from, to)) return to;
  throw new Error(`bug: no move from "${from}" to "${to}" in the table of states`);
}
