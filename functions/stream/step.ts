// STREAM: an entry of a journal is a wake-up and nothing more; what open connections are shown is read from the stores (architecture 2, aws.md).
import { DueEvent, entriesIn, JournalEvent } from '#shared/contracts/aws-events.ts';
import { type Gateway, wakeDue, wakeRoot } from '../acp/step.ts';

export { gatewayOf } from '../acp/step.ts';

/** Wakes whoever follows what the entries belong to, each root once. @throws the first trouble: the batch is given again. */
export const stream = async (event: unknown, gateway: Gateway): Promise<{ word: string }> => {
  if (DueEvent.safeParse(event).success) return { word: `due ${await wakeDue(gateway)}` };
  const roots = new Map(entriesIn(JournalEvent.parse(event)).map((entry) => [`${entry.tenant} ${entry.root}`, entry]));
  const ends = await Promise.allSettled([...roots.values()].map(({ tenant, root }) => wakeRoot(tenant, root, gateway)));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return { word: `woke ${roots.size}` };
};
