// What nobody can finish any more is said to be lost, so that whoever waits decides; its subtree is stopped (architecture section 3).
// Its machine is dead for good, so sweep is the record's only writer left, and keeps what it says in `last` like any other step.
import type { Effect } from '#shared/contracts/effects.ts';
import type { Escalation } from '#shared/contracts/escalation.ts';
import type { ReviewRecord, TaskRecord } from '#shared/contracts/task.ts';
import type { Verdict } from '#shared/contracts/verdict.ts';
import { ZERO } from '#shared/domain/budget.ts';
import { spentOf } from '#shared/domain/ledger.ts';
import { canMoveTask, moveReview, moveTask } from '#shared/domain/lifecycle.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { openChildren, stopChild } from '../loop/children.ts';
import type { Say } from '../step.ts';
import { keep } from './keep.ts';

type SweepPorts = StepPorts<'sweep'>;

/** The task ends as escalated, `lost`, after so many machines; its children are told to stop. What it found out until then it owes like any other. */
export const loseTask = async (record: TaskRecord, died: number, ports: SweepPorts): Promise<TaskRecord> => {
  const ledger = await ports.ledger.read(record.tenant, record.id);
  const escalation: Escalation = {
    attempts: record.attempts,
    reason: 'lost',
    detail: `its machine died ${died} times, at last in state ${record.state}`,
    evidence: [`record:${record.id}@${record.version}`],
    artifact: record.artifact,
    signature: 'lost',
    spent: ledger === undefined ? ZERO : spentOf(ledger),
    unused_attempts: Math.max(0, record.constraints.retries - record.attempts.length),
  };
  const params = { offer: record.offer, parent: record.parent?.task ?? null, escalation };
  const children = await openChildren(record, ports);
  const tell: Say[] = [
    { method: 'hca/task/escalate', to: record.from, task: record.id, params },
    ...children.map((child) => stopChild(child, 'was lost')),
  ];
  const ended = {
    ...record,
    state: lostState(record.state),
    escalation,
    lesson_pending: record.lesson === null,
    ended_at: ports.clock.now(),
  };
  const closing: Effect[] = record.parent === null ? [{ do: 'close-ledger', task: record.id }] : [];
  return keep(ended, { text: LOST, tell, also: [{ do: 'mark', record: record.id, cause: 'lost' }, ...closing] }, ports);
};

/** Through the moves of the table, as if it had escalated by itself; what was being cancelled is cancelled. */
const lostState = (state: TaskRecord['state']): TaskRecord['state'] => {
  if (canMoveTask(state, 'cancelled')) return 'cancelled';
  const ending = canMoveTask(state, 'compounding') ? state : moveTask(state, 'escalating');
  return moveTask(moveTask(ending, 'compounding'), 'escalated');
};

/** The producer's side asks another evaluator. */
export const loseReview = async (record: ReviewRecord, ports: SweepPorts): Promise<void> => {
  const verdict: Verdict = {
    review: record.id,
    task: record.task,
    iteration: record.iteration,
    result: 'unable',
    reason: 'the evaluator was lost',
    criteria: [],
    producer_holon: record.producer,
    evaluator_holon: record.holon,
    artifacts: [],
    mode: 'none',
    judged_at: ports.clock.now(),
  };
  const state = moveReview(moveReview(record.state, 'judging'), 'told');
  const tell: Say[] = [{ method: 'hca/review/verdict', to: record.producer, task: record.task, params: { verdict } }];
  await keep({ ...record, state, verdict, ended_at: verdict.judged_at }, { text: LOST, tell, also: [] }, ports);
};

const LOST = 'lost: its machine died for good';
