// Journal notes of messages that change no record: acknowledgements, what came too early or too late (architecture section 3).
import type { Entry } from '#shared/contracts/journal.ts';
import type { Message } from '#shared/contracts/messages.ts';

/** A note keyed by message and step, so that a repeat appends nothing. */
export const messageNote = (message: Message, what: { step: string; text: string; data?: Entry['data'] }): Entry => ({
  tenant: message.tenant,
  root: message.root_task,
  record: message.task,
  version: 0,
  note: `${what.step}:${message.id}`,
  kind: 'note',
  holon: message.to,
  step: what.step,
  state: '',
  iteration: 0,
  text: what.text.slice(0, 2000),
  data: { method: message.method, ...what.data },
  told: [],
  caused_by: message.id,
  at: message.sent_at,
});
