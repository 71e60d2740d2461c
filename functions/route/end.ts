// A child has ended: its outcome lands on the parent's wait, and a cancelled parent may be waiting for just this end.
import type { Outcome } from '#shared/contracts/effects.ts';
import type { Message } from '#shared/contracts/messages.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { meet, meetEnds } from '../rendezvous.ts';

type End = Extract<Message, { method: 'hca/task/complete' | 'hca/task/escalate' }>;

/** Notes the end; an outcome for a closed wait is journalled, without effect (architecture section 3). */
export const endChild = async (message: End, ports: StepPorts<'route'>): Promise<string | null> => {
  const { parent, offer } = message.params;
  if (parent === null) return null;
  const key = { task: parent, on: message.task, offer };
  const wait = await ports.waits.end(message.tenant, key, outcomeOf(message));
  await meet(wait, ports);
  await meetEnds(message.tenant, parent, ports);
  return wait.outcome?.by === message.id ? null : 'the outcome came too late: the wait was closed';
};

/** A child that was cancelled by itself is lost to its parent, which must not mistake it for its own cancel. */
const outcomeOf = (message: End): Outcome => {
  const completed = message.method === 'hca/task/complete' && message.params.status === 'completed';
  const unfinished = message.method === 'hca/task/escalate' ? 'escalate' : 'lost';
  return { word: completed ? 'completed' : unfinished, by: message.id, body: message.params };
};
