// What nobody can finish any more is said to be lost, so that whoever waits decides; its subtree is marked (architecture section 3).
import type { Escalation } from '#shared/contracts/escalation.ts';
import type { Message } from '#shared/contracts/messages.ts';
import type { AnyRecord, ReviewRecord, TaskRecord } from '#shared/contracts/task.ts';
import type { Verdict } from '#shared/contracts/verdict.ts';
import { ZERO } from '#shared/domain/budget.ts';
import { spentOf } from '#shared/domain/ledger.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { traceOf } from '../envelope.ts';

type SweepPorts = StepPorts<'sweep'>;

/** Its machine is dead for good, so sweep is the record's only writer left: it ends as escalated, `lost`. */
export const loseTask = async (record: TaskRecord, ports: SweepPorts): Promise<void> => {
  const ledger = await ports.ledger.read(record.tenant, record.id);
  const escalation: Escalation = {
    attempts: record.attempts,
    reason: 'lost',
    detail: `its machine died ${record.generation} times in state ${record.state}`,
    evidence: [`record:${record.id}@${record.version}`],
    artifact: record.artifact,
    signature: 'lost',
    spent: ledger === undefined ? ZERO : spentOf(ledger),
    unused_attempts: Math.max(0, record.constraints.retries - record.attempts.length),
  };
  await ports.marks.set(record.tenant, record.id, 'lost');
  const now = ports.clock.now();
  await ports.tasks.save(
    { ...record, version: record.version + 1, state: 'escalated', escalation, ended_at: now, last: null },
    record.version,
  );
  const said: Said = {
    method: 'hca/task/escalate',
    to: record.from,
    task: record.id,
    params: { offer: record.offer, parent: record.parent?.task ?? null, escalation },
  };
  await say(record, said, ports);
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
  await say(
    record,
    { method: 'hca/review/verdict', to: record.producer, task: record.task, params: { verdict } },
    ports,
  );
};

type Said =
  | Pick<Extract<Message, { method: 'hca/task/escalate' }>, 'method' | 'to' | 'task' | 'params'>
  | Pick<Extract<Message, { method: 'hca/review/verdict' }>, 'method' | 'to' | 'task' | 'params'>;

const say = async (record: AnyRecord, said: Said, ports: SweepPorts): Promise<void> => {
  const now = ports.clock.now();
  const cause = `sweep:${record.id}`;
  const id = `${record.id}:lost:${record.generation}`;
  await ports.journal.append({
    tenant: record.tenant,
    root: record.root,
    record: record.id,
    version: record.version + 1,
    note: null,
    kind: record.kind,
    holon: record.holon,
    step: 'sweep',
    state: record.kind === 'task' ? 'escalated' : record.state,
    iteration: 0,
    text: 'lost: its machine died for good',
    data: {},
    told: [{ id, method: said.method, to: said.to }],
    caused_by: cause,
    at: now,
  });
  await ports.messages.publish([
    {
      jsonrpc: '2.0',
      id,
      tenant: record.tenant,
      from: record.holon,
      root_task: record.root,
      hop: 0,
      caused_by: cause,
      sent_at: now,
      traceparent: traceOf(record.root, id),
      ...said,
    },
  ]);
};
