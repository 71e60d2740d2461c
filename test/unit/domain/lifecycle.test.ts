// L2-FSM-01 to L2-FSM-03: the tables against the text of requirements section 4, read here a second time and independently.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TaskState } from '#shared/contracts/task.ts';
import {
  canMoveHolon,
  canMoveTask,
  DELEGATION_MOVES,
  holonActivity,
  isTerminal,
  moveDelegation,
  moveHolon,
  moveReview,
  moveTask,
} from '#shared/domain/lifecycle.ts';
import { holds } from './samples.ts';

/** The sentences of the text, word by word: each arrow is one move. */
const ARROWS = `
  submitted offered; offered countered; countered offered; offered agreed; offered rejected; agreed planning; planning working;
  planning delegating; delegating collecting; collecting delegating; collecting reviewing; working reviewing; reviewing revising;
  revising planning; reviewing accepting; accepting compounding; compounding completed; escalating compounding;
  compounding escalated; cancelling cancelled; waiting escalating; submitted cancelled; offered cancelled; countered cancelled`;
const PHASES = ['agreed', 'planning', 'working', 'delegating', 'collecting', 'reviewing', 'revising'];
const LIVE = [...PHASES, 'waiting', 'accepting', 'escalating', 'compounding'];

const told = new Set([
  ...ARROWS.split(';').map((arrow) => arrow.trim()),
  ...PHASES.flatMap((phase) => [`${phase} escalating`, `${phase} waiting`, `waiting ${phase}`]),
  ...LIVE.map((phase) => `${phase} cancelling`),
]);

const states = TaskState.options;
const state = fc.constantFrom(...states);

const reaches = (from: TaskState): TaskState[] => {
  const seen = new Set<TaskState>([from]);
  for (const at of seen) for (const to of states.filter((one) => canMoveTask(at, one))) seen.add(to);
  return [...seen];
};

describe('a task in its holon (L2-FSM-01)', () => {
  it('may make exactly the moves of the text', () => {
    const allowed = states.flatMap((from) =>
      states.filter((to) => to !== from && canMoveTask(from, to)).map((to) => `${from} ${to}`),
    );
    expect(allowed.toSorted()).toEqual([...told].toSorted());
  });

  it('never gets over an illegal move, on any path', () => {
    holds(
      fc.property(fc.array(state, { maxLength: 40 }), (wishes) => {
        wishes.reduce<TaskState>((now, wish) => {
          if (wish === now || told.has(`${now} ${wish}`)) return moveTask(now, wish);
          expect(() => moveTask(now, wish)).toThrow(/^bug: no move/);
          return now;
        }, 'submitted');
      }),
      500,
    );
  });

  it('ends in four states, and from every other one an end can be reached', () => {
    expect(states.filter(isTerminal).toSorted()).toEqual(['cancelled', 'completed', 'escalated', 'rejected']);
    expect(states.filter((from) => !reaches(from).some(isTerminal))).toEqual([]);
  });

  it('is never accepted without a review (L1-REV-01) and never works without a plan (L2-PLN-01)', () => {
    expect(states.filter((from) => canMoveTask(from, 'accepting'))).toEqual(['reviewing', 'accepting']);
    expect(states.filter((from) => canMoveTask(from, 'working'))).toEqual(['planning', 'working', 'waiting']);
    expect(states.filter((from) => canMoveTask(from, 'completed'))).toEqual(['compounding', 'completed']);
  });
});

describe('holon, review and delegation', () => {
  it('drain and go offline, never back (L2-FSM-02)', () => {
    expect(moveHolon(moveHolon('ready', 'draining'), 'offline')).toBe('offline');
    expect(() => moveHolon('offline', 'ready')).toThrow(/bug/);
    expect(() => moveHolon('ready', 'offline')).toThrow(/bug/);
    expect([canMoveHolon('ready', 'offline'), canMoveHolon('draining', 'ready')]).toEqual([false, false]);
    expect([canMoveHolon('ready', 'draining'), canMoveHolon('offline', 'ready')]).toEqual([true, true]);
  });

  it('a review is told only after judging', () => {
    expect(moveReview(moveReview('requested', 'judging'), 'told')).toBe('told');
    expect(() => moveReview('requested', 'told')).toThrow(/bug/);
  });

  it('a delegation that ended stays ended', () => {
    expect(moveDelegation(moveDelegation('offered', 'settled'), 'arbitrating')).toBe('arbitrating');
    expect(moveDelegation('arbitrating', 'offered')).toBe('offered');
    expect([DELEGATION_MOVES.done, DELEGATION_MOVES.failed]).toEqual([[], []]);
    expect(() => moveDelegation('done', 'offered')).toThrow(/bug/);
  });

  it('shows what a holon is doing (L2-FSM-03)', () => {
    expect(holonActivity([])).toBe('ready');
    expect(holonActivity(['completed', 'escalated'])).toBe('ready');
    expect(holonActivity(['offered', 'planning', 'working', 'waiting'])).toBe('working');
    for (const one of states.filter((each) => !isTerminal(each))) expect(holonActivity([one])).toBe(one);
  });
});
