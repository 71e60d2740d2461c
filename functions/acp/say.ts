// What the door says on a person's behalf: the envelope of its messages and the note in the journal (requirements section 2).
import { messageId } from '#shared/contracts/ids.ts';
import type { Entry } from '#shared/contracts/journal.ts';
import type { Request } from '#shared/contracts/messages.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { traceOf } from '#shared/domain/trace-context.ts';

/** The offer of a submitted task to its holon; a repeat has the same id. */
export const delegateMessage = (task: TaskRecord, at: number): Request<'hca/task/delegate'> => ({
  ...envelope(task, at),
  id: messageId(task.id, 0, 0),
  method: 'hca/task/delegate',
  params: { offer: task.offer, spec: task.spec, constraints: task.constraints },
});

/** A person's cancel; there is one per task, however often it is asked for. */
export const cancelMessage = (task: TaskRecord, cause: string, at: number): Request<'hca/task/cancel'> => ({
  ...envelope(task, at),
  id: `${task.id}:cancel:0`,
  method: 'hca/task/cancel',
  params: { cause },
});

/** The journal's note that this was said. */
export const noteOf = (task: TaskRecord, message: Request, text: string): Entry => ({
  tenant: task.tenant,
  root: task.root,
  record: task.id,
  version: 0,
  note: message.id,
  kind: 'note',
  holon: task.holon,
  step: 'acp',
  state: task.state,
  iteration: task.iteration,
  told: [{ id: message.id, method: message.method, to: message.to }],
  caused_by: 'user',
  at: message.sent_at,
  text,
  data: {},
});

const envelope = (task: TaskRecord, at: number) => ({
  jsonrpc: '2.0' as const,
  tenant: task.tenant,
  from: 'user',
  to: task.holon,
  task: task.id,
  root_task: task.root,
  hop: 0,
  caused_by: 'user',
  sent_at: at,
  traceparent: traceOf(task.root, `${task.id}:0`),
});
