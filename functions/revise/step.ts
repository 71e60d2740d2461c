// REVISE: counts the iteration and leaves the unmet criteria as feedback for PLAN (L2-ITR-01, L2-ITR-02).
import { moveTask } from '#shared/domain/lifecycle.ts';
import type { Step } from '../step.ts';

export const revise: Step<'revise'> = async (_input, record) => {
  const iteration = record.iteration + 1;
  const unmet = record.attempts.at(-1)?.unmet ?? [];
  return {
    record: { ...record, state: moveTask(record.state, 'revising'), iteration, wave: 0, redo: [], work: null },
    entry: { text: `revises: iteration ${iteration} of ${record.constraints.retries}`, data: { iteration, unmet } },
    output: { word: 'plan' },
  };
};
