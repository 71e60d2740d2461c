// Cancel arrives: the mark first, then the walk over the waits, then whatever runs in its sessions is killed (trace V7).
import { executionName } from '#shared/contracts/ids.ts';
import type { Message } from '#shared/contracts/messages.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { isTerminal } from '#shared/domain/lifecycle.ts';
import { machineOf } from '#shared/domain/machines.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { sessionsOf } from '../loop/sessions.ts';
import { settleWait } from '../rendezvous.ts';

type Cancel = Extract<Message, { method: 'hca/task/cancel' }>;

export const cancelTask = async (message: Cancel, ports: StepPorts<'route'>): Promise<string | null> => {
  const { tenant, task } = message;
  const record = await ports.tasks.load(tenant, task);
  if (record?.kind !== 'task') return 'cancel of an unknown task';
  if (isTerminal(record.state)) return `cancel came too late: ${record.state}`;
  await ports.marks.set(tenant, task, message.params.cause);
  for (const { key, outcome } of await ports.waits.of(tenant, task)) {
    if (outcome !== null || key.on === '~ends') continue;
    await settleWait(tenant, { key, outcome: { word: 'cancelled', by: message.id, body: null } }, ports);
  }
  await interrupt(record, ports);
  if (UNAGREED.has(record.state))
    return ports.workflows.start(machineOf(record), executionName(task, 1), { tenant, task }).then(() => null);
  return `cancel: ${message.params.cause}`;
};

/** A task that nobody agreed to yet has no machine: one is started, finds the mark, and ends it. */
const UNAGREED: ReadonlySet<TaskRecord['state']> = new Set(['submitted', 'offered', 'countered']);

const interrupt = async (record: TaskRecord, ports: StepPorts<'route'>): Promise<void> => {
  for (const session of sessionsOf(record)) await ports.sandbox.interrupt(session);
};
