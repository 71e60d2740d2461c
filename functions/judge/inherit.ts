// A coordinator's aggregate that is one child's accepted artifact, to the byte: its verdict is checked and taken over (architecture section 7).

import type { ReviewRecord } from '#shared/contracts/task.ts';
import { reviewMode } from '#shared/domain/review.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import type { Judged } from './judged.ts';
import { rerun } from './rerun.ts';

/** The bytes must still have the hash that was judged, and the verdict must cover every criterion; else everything is run again. */
export const inherit = async (record: ReviewRecord, ports: StepPorts<'judge'>): Promise<Judged> => {
  const [only] = record.child_verdicts;
  const criteria = record.criteria.map(({ id }) => id);
  const mode = reviewMode({
    children: record.child_verdicts.length,
    verdict: only ?? null,
    criteria,
    artifact: record.artifact,
  });
  if (only === undefined || mode !== 'inherit' || record.artifact === null) return rerun(record, ports);
  await ports.artifacts.bytes(record.tenant, record.artifact.id, record.artifact.version);
  return {
    result: only.result,
    reason:
      only.mode === 'inherited'
        ? only.reason
        : `the same artifact that ${only.evaluator_holon} judged: ${only.reason}`.slice(0, 2000),
    criteria: only.criteria.filter(({ criterion }) => criteria.includes(criterion)),
    mode: 'inherited',
  };
};
