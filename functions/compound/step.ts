// COMPOUND: one lesson per finished task and credit for those that were used, contributed by message; then the parent is told how it ended
// (L3-CMP, L3-KBC-01, L3-KBC-02).
import type { Effect } from '#shared/contracts/effects.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { ZERO } from '#shared/domain/budget.ts';
import { spentOf } from '#shared/domain/ledger.ts';
import { moveTask } from '#shared/domain/lifecycle.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { aboutOf, contribution } from '../loop/contribution.ts';
import type { Change, Say, Step } from '../step.ts';

export const compound: Step<'compound'> = async (input, record, ports) => {
  if (record.state !== 'compounding') return contribute(record, input.error !== undefined, ports);
  return end(record, ports);
};

/** The session is over before anything is told; a fault that brought us here leaves the lesson owed. */
const contribute = async (
  record: TaskRecord,
  failing: boolean,
  ports: StepPorts<'compound'>,
): Promise<Change<'compound'>> => {
  if (record.work !== null) {
    await ports.tools.release(record.work.session);
    await ports.sandbox.close(record.work.session);
  }
  const state = moveTask(record.state, 'compounding');
  if (failing)
    return {
      record: { ...record, state, lesson_pending: true },
      entry: { text: 'its lesson stays owed', data: {} },
      output: { word: 'more' },
    };
  const given = contribution(record, await aboutOf(record, ports.clock.now(), ports));
  return {
    record: { ...record, state, lesson: given.lesson?.id ?? null },
    entry: { text: given.text, data: { ...given.data } },
    tell: given.tell,
    output: { word: 'more' },
  };
};

const end = async (record: TaskRecord, ports: StepPorts<'compound'>): Promise<Change<'compound'>> => {
  const completed = record.result !== null;
  const state = moveTask(record.state, completed ? 'completed' : 'escalated');
  const spent = await spentBy(record, ports);
  const closing: Effect[] = record.parent === null ? [{ do: 'close-ledger', task: record.id }] : [];
  return {
    record: { ...record, state, ended_at: ports.clock.now() },
    also: closing,
    entry: {
      text: completed ? 'completed' : `escalated: ${record.escalation?.reason ?? 'fault'}`,
      data: { spent, lesson: record.lesson },
    },
    tell: [completed ? complete(record, spent) : escalation(record)],
    output: { word: 'end' },
  };
};

const complete = (record: TaskRecord, spent: typeof ZERO): Say => ({
  method: 'hca/task/complete',
  to: record.from,
  task: record.id,
  params: {
    offer: record.offer,
    parent: record.parent?.task ?? null,
    status: 'completed',
    artifacts: [record.artifact, record.patch].filter((ref) => ref !== null),
    verdict: record.verdict,
    reservations: record.result?.reservations ?? [],
    spent,
  },
});

const escalation = (record: TaskRecord): Say => {
  if (record.escalation === null) throw new Error(`bug: ${record.id} ends with neither result nor escalation`);
  const params = { offer: record.offer, parent: record.parent?.task ?? null, escalation: record.escalation };
  return { method: 'hca/task/escalate', to: record.from, task: record.id, params };
};

const spentBy = async (record: TaskRecord, ports: StepPorts<'compound'>) => {
  const ledger = await ports.ledger.read(record.tenant, record.id);
  return ledger === undefined ? ZERO : spentOf(ledger);
};
