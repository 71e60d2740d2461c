// LEARN: the knowledge base judges what is contributed, stores it, credits what was used, and acknowledges all of it with the reason
// (L3-KBC-03). A repeat finds everything done and is acknowledged again.
import type { Message, Params, ResultOf } from '#shared/contracts/messages.ts';
import { isRequest } from '#shared/contracts/messages.ts';
import { type Gated, gateContribution, sourceOf } from '#shared/domain/knowledge/gate.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { keepLesson } from '../loop/lessons.ts';
import { messageNote } from '../loop/notes.ts';
import { retireForgotten } from '../loop/upkeep.ts';
import type { Note, Step } from '../step.ts';
import { credit } from './credit.ts';

type Acknowledged = ResultOf<'hca/knowledge/contribute'>;

export const learn: Step<'learn'> = async ({ message }, _record, ports): Promise<Note<'learn'>> => {
  if (!isRequest(message, 'hca/knowledge/contribute')) return done(`${message.method} is no contribution`);
  const result: Acknowledged = { lessons: [], credits: [] };
  for (const raw of message.params.lessons) result.lessons.push(await take(message, raw, ports));
  for (const one of message.params.credits) result.credits.push(await credit(message, one, ports));
  await retireForgotten(message.tenant, ports);
  const text = textOf(result);
  await ports.journal.append(messageNote(message, { step: 'learn', text, data: { ...result } }));
  await ports.messages.publish([acknowledge(message, result)]);
  return done(text);
};

type Raw = Params<'hca/knowledge/contribute'>['lessons'][number];

const take = async (
  message: Message,
  raw: Raw,
  ports: StepPorts<'learn'>,
): Promise<Acknowledged['lessons'][number]> => {
  const { tenant, task, from } = message;
  const named = sourceOf(raw);
  const source = named === null ? undefined : await ports.tasks.load(tenant, named);
  const gated: Gated = gateContribution({ raw, task, from, source });
  if (gated.status === 'refused') return { id: gated.id, status: 'refused', reason: gated.reason };
  return keepLesson(tenant, gated, ports);
};

const textOf = ({ lessons, credits }: Acknowledged): string => {
  const said = lessons.map(({ id, status, reason }) => `${status} ${id}: ${reason}`);
  return [...said, ...credits.map(({ lesson, status, reason }) => `${status} ${lesson}: ${reason}`)].join('; ');
};

const acknowledge = (message: Message, result: Acknowledged): Message => ({
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
  result,
});

const done = (note: string): Note<'learn'> => ({ note, output: { word: 'learned' } });
