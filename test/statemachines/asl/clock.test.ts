// The machine's clock: long times do not wrap around, a cancelled timer stays silent.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '#local/asl/clock.ts';

const DAY = 86_400_000;

describe('the system clock', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('fires once, also after more days than setTimeout can count', () => {
    const fire = vi.fn();
    systemClock.timer(60 * DAY, fire);
    vi.advanceTimersByTime(60 * DAY - 1);
    expect(fire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    vi.advanceTimersByTime(90 * DAY);
    expect(fire).toHaveBeenCalledTimes(1);
  });

  it('fires at once for a time that has passed, and never after a cancel at any stage', () => {
    const [past, cancelled] = [vi.fn(), vi.fn()];
    systemClock.timer(-5, past);
    const cancel = systemClock.timer(60 * DAY, cancelled);
    vi.advanceTimersByTime(30 * DAY);
    cancel();
    vi.advanceTimersByTime(60 * DAY);
    expect(past).toHaveBeenCalledTimes(1);
    expect(cancelled).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
