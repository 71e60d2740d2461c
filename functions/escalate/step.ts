// ESCALATE: composes what the parent must know: attempts, reason, evidence, and the usable artifact (L2-ESC-01 to L2-ESC-03, L2-ITR-04).
import type { Attempt, Escalation } from '#shared/contracts/escalation.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { ZERO } from '#shared/domain/budget.ts';
import { spentOf } from '#shared/domain/ledger.ts';
import { canMoveTask, moveTask } from '#shared/domain/lifecycle.ts';
import { failureSignature } from '#shared/domain/progress.ts';
import { openChildren, stopChild } from '../loop/children.ts';
import type { Change, Step } from '../step.ts';

export const escalate: Step<'escalate'> = async ({ error }, record, ports) => {
  if (!canMoveTask(record.state, 'escalating')) return goOn(record);
  const failing = reasonOf(record, error);
  const ledger = await ports.ledger.read(record.tenant, record.id);
  const children = await openChildren(record, ports);
  const last = record.attempts.at(-1);
  const unmet = last?.unmet ?? [];
  const attempts = [...record.attempts, ...cutShort(record, failing)].slice(-64);
  const escalation: Escalation = {
    attempts,
    ...failing,
    evidence: evidenceOf({ ...record, attempts }),
    artifact: record.artifact,
    signature: failureSignature({ ...failing, unmet }),
    spent: ledger === undefined ? ZERO : spentOf(ledger),
    unused_attempts: Math.max(0, record.constraints.retries - attempts.length),
  };
  return {
    record: { ...record, state: moveTask(record.state, 'escalating'), attempts, escalation },
    entry: {
      text: `escalates: ${failing.reason}: ${failing.detail}`.slice(0, 2000),
      data: { reason: failing.reason, unmet },
    },
    tell: children.map((child) => stopChild(child, 'escalated')),
    output: { word: 'compound' },
  };
};

/** A fault after acceptance, or of a new generation that finds the end begun, takes nothing back. */
const goOn = (record: TaskRecord): Change<'escalate'> => ({
  record,
  entry: { text: `goes on as ${record.state}`, data: {} },
  output: { word: 'compound' },
});

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

/** An attempt that never came to a verdict, for want of budget or an evaluator, was made all the same (L2-ESC-01). */
const cutShort = (record: TaskRecord, { reason, detail }: Pick<Escalation, 'reason' | 'detail'>): Attempt[] => {
  const { iteration, plan, work, attempts, artifact } = record;
  if (work === null || plan?.leaf == null || attempts.some((one) => one.iteration === iteration)) return [];
  const isNew = artifact !== null && attempts.every((one) => one.artifact?.id !== artifact.id);
  return [
    {
      iteration,
      alternative: plan.leaf.alternative,
      artifact: isNew ? artifact : null,
      result: 'none',
      unmet: [],
      reason: detail.slice(0, 2000),
      signature: failureSignature({ reason, unmet: [], detail }),
      progress: 0,
      evidence: work.evidence.slice(-64),
    },
  ];
};

/** Never empty: where no command ran, the record itself is the evidence (L2-ESC-03). */
const evidenceOf = (record: TaskRecord): string[] => {
  const ids = record.attempts.flatMap(({ evidence }) => evidence);
  const found = [...new Set([...ids, ...(record.escalation?.evidence ?? [])])].slice(-64);
  return found.length > 0 ? found : [`record:${record.id}@${record.version}`];
};
