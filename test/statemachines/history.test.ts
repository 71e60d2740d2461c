// No history of a task's execution grows past the bound of Step Functions (pitfall 26), and ticks never meet.
import { describe, expect, it } from 'vitest';
import type { TaskMachine } from '#shared/contracts/machines.ts';
import { MAX_ROUNDS } from '#shared/domain/arbitration.ts';
import { statesOf, tasksOf } from '#test/support/machines.ts';

describe('the history of one execution', () => {
  /** Entered, scheduled, started, succeeded, exited; a waiting Task has "submitted" as well. A Choice: entered, exited. */
  const events = (kind: TaskMachine, name: string): number => {
    const json = statesOf(kind).find((one) => one.name === name)?.json;
    if (json === undefined) throw new Error(`no state ${name}`);
    if (json.Type === 'Task') return String(json.Resource).endsWith('waitForTaskToken') ? 6 : 5;
    return 2;
  };
  const sum = (kind: TaskMachine, names: readonly string[]): number =>
    names.reduce((total, name) => total + events(kind, name), 0);
  const LIMIT = 25_000;
  const WIDEST = 40;
  const RETRIES = 32; // Constraints.retries
  const ENDS = ['Accept', 'Escalate', 'Compound', 'Finish'];

  /** Scheduled, started, failed: for each retry that the machine file allows, slices of work that go on included. */
  const retries = (kind: TaskMachine, names: readonly string[]): number =>
    tasksOf(kind)
      .filter(({ name }) => names.includes(name))
      .flatMap(({ json }) => json.Retry as { MaxAttempts: number }[])
      .reduce((total, { MaxAttempts }) => total + 3 * MaxAttempts, 0);
  const most = (kind: TaskMachine, names: readonly string[]): number => sum(kind, names) + retries(kind, names);

  it('of a leaf stays below 25,000 events at the most iterations, slices of work and retries of every kind', () => {
    const iteration = most('leaf', ['Plan', 'Work', 'Review', 'Verdict', 'Outcome', 'Revise']);
    expect(iteration).toBeGreaterThan(3 * 200);
    expect(RETRIES * iteration + most('leaf', ['Replan', 'Planned', ...ENDS]) + 2).toBeLessThan(LIMIT);
  });

  it('pitfall 26: of a coordinator stays below it with 40 children that each take every round', () => {
    const of = (...names: string[]): number => sum('coordinator', names);
    const round = of('Delegate', 'Settle', 'Settled', 'Arbitrate', 'Arbitrated');
    const child = 3 + MAX_ROUNDS * round; // iteration started, Done, iteration succeeded
    const wave = 4 + WIDEST * child + of('Collect', 'Regroup', 'Collected');
    const redone = 4 + child + of('Resolve', 'Resolved', 'Collect');
    const iteration = of('Plan', 'Review', 'Verdict', 'Outcome', 'Revise') + wave + redone;
    expect(iteration).toBeGreaterThan(9_000);
    expect(2 * iteration + most('coordinator', ['Replan', 'Planned', ...ENDS]) + 2).toBeLessThan(LIMIT);
  });

  it('gives every visit of a delegation ticks behind those of the visit before', () => {
    const wave = statesOf('coordinator').find(({ name }) => name === 'Wave')?.json;
    expect(wave?.ItemSelector).toMatchObject({ tick: '{% $tick * 1000 %}' });
    expect(3 * MAX_ROUNDS + 1).toBeLessThan(1000);
  });
});
