// LEARN: the knowledge base stores what is contributed and acknowledges it (L3-KBC-03). A lesson already there is acknowledged again.

import type { Lesson } from '#shared/contracts/lesson.ts';
import type { Message } from '#shared/contracts/messages.ts';
import { isRequest } from '#shared/contracts/messages.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { messageNote } from '../loop/notes.ts';
import type { Note, Step } from '../step.ts';

export const learn: Step<'learn'> = async ({ message }, _record, ports): Promise<Note<'learn'>> => {
  if (!isRequest(message, 'hca/knowledge/contribute')) return done(`${message.method} is no contribution`);
  const stored: Stored[] = [];
  for (const lesson of message.params.lessons) stored.push(await store(message.tenant, lesson, ports));
  const text = `stored ${stored.length} lesson(s)`;
  await ports.journal.append(messageNote(message, { step: 'learn', text, data: { lessons: stored } }));
  await ports.messages.publish([acknowledge(message, stored)]);
  return done(text);
};

const store = async (tenant: string, lesson: Lesson, ports: StepPorts<'learn'>) => {
  const fresh = await ports.lessons.put(tenant, lesson);
  return { id: lesson.id, status: 'stored' as const, reason: fresh ? 'new' : 'already there' };
};

type Stored = Awaited<ReturnType<typeof store>>;

const acknowledge = (message: Message, lessons: Stored[]): Message => ({
  jsonrpc: '2.0',
  id: `${message.id}.result`,
  tenant: message.tenant,
  from: message.to,
  to: message.from,
  task: message.task,
  root_task: message.root_task,
  hop: message.hop + 1,
  caused_by: message.id,
  sent_at: message.sent_at,
  traceparent: message.traceparent,
  method: 'hca/knowledge/contribute.result',
  result: { lessons },
});

const done = (note: string): Note<'learn'> => ({ note, output: { word: 'learned' } });
