// States of an execution out of its events: visits, attempts, errors, and the transitions that are paid for.
import { describe, expect, it } from 'vitest';
import type { ExecutionEvent } from '#shared/contracts/acp-trace.ts';
import { priceOf } from '#shared/domain/rate-card.ts';
import { statesOf, transitionsOf } from '#shared/domain/trace.ts';

/** Each follows the one before it, unless it says which. */
const events = (...rows: [string, number, Partial<ExecutionEvent>?][]): ExecutionEvent[] =>
  rows.map(([type, at, about], index) => ({
    id: index + 1,
    previous: index,
    type,
    at,
    name: null,
    error: null,
    ...about,
  }));

describe('the states of an execution', () => {
  it('count every invocation of a step, and say the last error', () => {
    const states = statesOf(
      events(
        ['ExecutionStarted', 1],
        ['TaskStateEntered', 1, { name: 'Plan' }],
        ['TaskScheduled', 1],
        ['TaskFailed', 2, { error: 'HcaThrottled' }],
        ['TaskScheduled', 3],
        ['TaskSucceeded', 4],
        ['TaskStateExited', 4, { name: 'Plan' }],
        ['ChoiceStateEntered', 4, { name: 'Kind' }],
        ['ChoiceStateExited', 4, { name: 'Kind' }],
        ['TaskStateEntered', 5, { name: 'Work' }],
      ),
    );
    expect(states).toEqual([
      { name: 'Plan', entered_at: 1, left_at: 4, attempts: 2, error: 'HcaThrottled' },
      { name: 'Kind', entered_at: 4, left_at: 4, attempts: 0, error: null },
      { name: 'Work', entered_at: 5, left_at: null, attempts: 0, error: null },
    ]);
    expect(transitionsOf(states)).toBe(4);
  });

  it('keep the children of a Map apart, each with its own attempts', () => {
    const states = statesOf(
      events(
        ['MapStateEntered', 1, { name: 'Wave' }],
        ['TaskStateEntered', 2, { name: 'Delegate' }],
        ['TaskStateEntered', 3, { name: 'Delegate', previous: 1 }],
        ['TaskScheduled', 3, { previous: 2 }],
        ['TaskScheduled', 3, { previous: 3 }],
        ['TaskStateExited', 7, { name: 'Delegate', previous: 5 }],
        ['TaskStateExited', 9, { name: 'Delegate', previous: 4 }],
        ['MapIterationSucceeded', 9],
        ['MapStateExited', 9, { name: 'Wave' }],
      ),
    );
    expect(states.map(({ name, left_at, attempts }) => [name, left_at, attempts])).toEqual([
      ['Wave', 9, 0],
      ['Delegate', 9, 1],
      ['Delegate', 7, 1],
    ]);
    expect(transitionsOf(states)).toBe(3);
  });
});

describe('the rate card', () => {
  it('prices in micro-dollars: 30 transitions are 750 millionths of a dollar', () => {
    expect(priceOf({ transitions: 30 })).toBe(750);
    expect(priceOf({})).toBe(0);
    expect(priceOf({ writes: 100, reads: 8 })).toBeCloseTo(63.5);
  });
});
