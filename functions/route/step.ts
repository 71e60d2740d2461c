// ROUTE: the only step that starts and resumes executions, on a message (architecture section 2, rule 5).

import { executionName } from '#shared/contracts/ids.ts';
import type { Message } from '#shared/contracts/messages.ts';
import { isRequest } from '#shared/contracts/messages.ts';
import { machineOf } from '#shared/domain/machines.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { messageNote } from '../loop/notes.ts';
import { meet, settleWait } from '../rendezvous.ts';
import type { Note, Step } from '../step.ts';
import { cancelTask } from './cancel.ts';
import { endChild } from './end.ts';

export const route: Step<'route'> = async ({ message }, _record, ports): Promise<Note<'route'>> => {
  const note = await take(message, ports);
  if (note === null) return { note: '', output: { word: 'routed' } };
  await ports.journal.append(messageNote(message, { step: 'route', text: note }));
  return { note, output: { word: 'dropped' } };
};

/** What the message does; a text when all it does is to be journalled. */
const take = async (message: Message, ports: StepPorts<'route'>): Promise<string | null> => {
  if (isRequest(message, 'hca/task/negotiate')) return negotiated(message, ports);
  if (isRequest(message, 'hca/task/complete')) return endChild(message, ports);
  if (isRequest(message, 'hca/task/escalate')) return endChild(message, ports);
  if (isRequest(message, 'hca/task/cancel')) return cancelTask(message, ports);
  if (isRequest(message, 'hca/review/request')) return startReview(message, ports);
  if (isRequest(message, 'hca/review/verdict')) return told(message, ports);
  return `received ${message.method}`;
};

type Of<M extends Message['method']> = Extract<Message, { method: M }>;

/** Accept starts the child's machine, always: its first step reads the marks (trace V8). Which one stands in its record since that was made. Reject and counter land on the wait. */
const negotiated = async (message: Of<'hca/task/negotiate'>, ports: StepPorts<'route'>): Promise<string | null> => {
  const { say, offer, parent } = message.params;
  if ('reply' in say) return `the parent answers the counter: ${say.reply.answer}`;
  const key = { task: parent ?? message.task, on: message.task, offer };
  if (say.answer !== 'accept') {
    if (parent === null) return null;
    await settleWait(
      message.tenant,
      { key, outcome: { word: say.answer, by: message.id, body: message.params } },
      ports,
    );
    return null;
  }
  const { tenant, task } = message;
  const record = await ports.tasks.load(tenant, task);
  if (record?.kind !== 'task') return 'accept of an unknown task';
  if (parent !== null) await meet(await ports.waits.agree(tenant, key), ports);
  const started = await ports.workflows.start(machineOf(record), executionName(task, 1), { tenant, task });
  return started === 'refused' ? 'the execution of this task has ended already' : null;
};

const startReview = async (message: Of<'hca/review/request'>, ports: StepPorts<'route'>): Promise<string | null> => {
  const { review } = message.params;
  await ports.workflows.start('review', executionName(review, 1), { tenant: message.tenant, task: review });
  return null;
};

const told = async (message: Of<'hca/review/verdict'>, ports: StepPorts<'route'>): Promise<string | null> => {
  const key = { task: message.task, on: message.params.verdict.review, offer: 0 };
  const word = message.params.verdict.result === 'pass' ? 'passed' : 'verdict';
  const wait = await settleWait(
    message.tenant,
    { key, outcome: { word, by: message.id, body: message.params } },
    ports,
  );
  return wait.outcome?.by === message.id ? null : 'the verdict came too late';
};
