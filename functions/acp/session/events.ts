// The session's own journal: what happened beside its tasks, each event once by its key.
import { SessionEvent } from '#shared/contracts/acp-session-events.ts';
import type { Entry } from '#shared/contracts/journal.ts';
import type { Ports } from '#shared/ports/index.ts';

type Journalled = Pick<Ports, 'journal' | 'clock'>;

/** Appends an event; the same key again changes nothing. */
export const happened = async (
  { journal, clock }: Journalled,
  at: { tenant: string; session: string; key: string },
  event: SessionEvent,
): Promise<void> => journal.append(noteOf(at, event, clock.now()));

/** The event of a note, or undefined when it was written by a newer version. */
export const eventOf = (entry: Entry): SessionEvent | undefined => SessionEvent.safeParse(entry.data).data;

const noteOf = (at: { tenant: string; session: string; key: string }, event: SessionEvent, now: number): Entry => ({
  tenant: at.tenant,
  root: at.session,
  record: at.session,
  version: 0,
  note: at.key,
  kind: 'note',
  holon: 'user',
  step: 'acp',
  state: 'session',
  iteration: 0,
  told: [],
  caused_by: 'user',
  at: now,
  text: event.event,
  data: { ...event },
});
