// ESCALATE: composes what the parent must know: attempts, reason, evidence, and the usable artifact (L2-ESC-01 to L2-ESC-03, L2-ITR-04).
import type { Escalation } from '#shared/contracts/escalation.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { ZERO } from '#shared/domain/budget.ts';
import { spentOf } from '#shared/domain/ledger.ts';
import { moveTask } from '#shared/domain/lifecycle.ts';
import { failureSignature } from '#shared/domain/progress.ts';
import type { Step } from '../step.ts';

export const escalate: Step<'escalate'> = async ({ error }, record, ports) => {
  const failing = reasonOf(record, error);
  const ledger = await ports.ledger.read(record.tenant, record.id);
  const last = record.attempts.at(-1);
  const unmet = last?.unmet ?? [];
  const escalation: Escalation = {
    attempts: record.attempts,
    ...failing,
    evidence: evidenceOf(record),
    artifact: record.artifact,
    signature: failureSignature({ ...failing, unmet }),
    spent: ledger === undefined ? ZERO : spentOf(ledger),
    unused_attempts: Math.max(0, record.constraints.retries - record.attempts.length),
  };
  return {
    record: { ...record, state: moveTask(record.state, 'escalating'), escalation },
    entry: {
      text: `escalates: ${failing.reason}: ${failing.detail}`.slice(0, 2000),
      data: { reason: failing.reason, unmet },
    },
    output: { word: 'compound' },
  };
};

/** A caught fault comes with the machine's input; everything else was decided by the step that gave up. */
const reasonOf = (
  record: TaskRecord,
  error: { name: string; cause: string } | undefined,
): Pick<Escalation, 'reason' | 'detail'> => {
  if (error !== undefined && error.name !== '') {
    const reason = error.name === 'States.Timeout' ? 'deadline' : 'fault';
    return { reason, detail: `${error.name}: ${error.cause}`.slice(0, 4000) };
  }
  return record.failing ?? { reason: 'fault', detail: 'no reason was recorded' };
};

/** Never empty: where no command ran, the record itself is the evidence (L2-ESC-03). */
const evidenceOf = (record: TaskRecord): string[] => {
  const ids = record.attempts.flatMap(({ evidence }) => evidence);
  const found = [...new Set([...ids, ...(record.escalation?.evidence ?? [])])].slice(-64);
  return found.length > 0 ? found : [`record:${record.id}@${record.version}`];
};
