// States of an execution out of its events: visits, attempts, errors, and the transitions that are paid for.
import { describe, expect, it } from 'vitest';
import type { ExecutionEvent } from '#shared/contracts/acp-trace.ts';
import { priceOf } from '#shared/domain/rate-card.ts';
import { statesOf, transitionsOf } from '#shared/domain/trace.ts';

const event = (type: string, at: number, about: Partial<ExecutionEvent> = {}): ExecutionEvent => ({
  type,
  at,
  name: null,
  error: null,
  ...about,
});

describe('the states of an execution', () => {
  it('count every invocation of a step, and say the last error', () => {
    const states = statesOf([
      event('ExecutionStarted', 1),
      event('TaskStateEntered', 1, { name: 'Plan' }),
      event('TaskScheduled', 1, { name: 'Plan' }),
      event('TaskFailed', 2, { name: 'Plan', error: 'HcaThrottled' }),
      event('TaskScheduled', 3, { name: 'Plan' }),
      event('TaskSucceeded', 4, { name: 'Plan' }),
      event('TaskStateExited', 4, { name: 'Plan' }),
      event('ChoiceStateEntered', 4, { name: 'Kind' }),
      event('ChoiceStateExited', 4, { name: 'Kind' }),
      event('TaskStateEntered', 5, { name: 'Work' }),
    ]);
    expect(states).toEqual([
      { name: 'Plan', entered_at: 1, left_at: 4, attempts: 2, error: 'HcaThrottled' },
      { name: 'Kind', entered_at: 4, left_at: 4, attempts: 0, error: null },
      { name: 'Work', entered_at: 5, left_at: null, attempts: 0, error: null },
    ]);
    expect(transitionsOf(states)).toBe(4);
  });

  it('keep the children of a Map apart', () => {
    const states = statesOf([
      event('MapStateEntered', 1, { name: 'Wave' }),
      event('TaskStateEntered', 2, { name: 'Delegate' }),
      event('TaskStateEntered', 3, { name: 'Delegate' }),
      event('TaskStateExited', 7, { name: 'Delegate' }),
      event('TaskStateExited', 9, { name: 'Delegate' }),
      event('MapStateExited', 9, { name: 'Wave' }),
    ]);
    expect(states.map(({ name, left_at }) => [name, left_at])).toEqual([
      ['Wave', 9],
      ['Delegate', 7],
      ['Delegate', 9],
    ]);
  });
});

describe('the rate card', () => {
  it('prices in micro-dollars: 30 transitions are 750 millionths of a dollar', () => {
    expect(priceOf({ transitions: 30 })).toBe(750);
    expect(priceOf({})).toBe(0);
    expect(priceOf({ writes: 100, reads: 8 })).toBeCloseTo(63.5);
  });
});
