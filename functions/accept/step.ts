// ACCEPT: the verdict allows it; what a partial verdict left open is recorded as reservations (L1-REV-01).
import { moveTask } from '#shared/domain/lifecycle.ts';
import type { Step } from '../step.ts';

export const accept: Step<'accept'> = async (_input, record) => {
  const { verdict } = record;
  if (verdict === null) throw new Error(`bug: ${record.id} is to be accepted without a verdict`);
  const reservations = verdict.criteria
    .filter(({ result }) => result !== 'met')
    .map(({ criterion, reason }) => `${criterion}: ${reason}`.slice(0, 500));
  const result = { artifact: record.artifact, patch: record.patch, verdict, reservations };
  return {
    record: { ...record, state: moveTask(record.state, 'accepting'), result },
    entry: {
      text: reservations.length === 0 ? 'accepted' : `accepted with ${reservations.length} reservation(s)`,
      data: { artifact: record.artifact, evaluator: verdict.evaluator_holon, reservations },
    },
    output: { word: 'compound' },
  };
};
