// Reading a journal as a client gets it: the phases a record went through, what a step said, and the messages that were told.
import type { Entry } from '#shared/contracts/journal.ts';

/** Phases of one record in order, those that one entry went through included; staying in a phase counts once. */
export const phasesOf = (entries: readonly Entry[], record: string): string[] => {
  const own = entries.filter((entry) => entry.record === record && entry.kind !== 'note');
  const all = own.flatMap((entry) => [...throughOf(entry), entry.state]);
  return all.filter((state, at) => state !== all[at - 1]);
};

const throughOf = ({ data }: Entry): string[] => (Array.isArray(data.through) ? data.through.map(String) : []);

/** Entries of one step, of one holon if it is named, in order. */
export const saidBy = (entries: readonly Entry[], step: string, holon?: string): Entry[] =>
  entries.filter((entry) => entry.step === step && (holon === undefined || entry.holon === holon));

/** The only entry that fits, or the first of several. @throws Error when there is none */
export const firstSaid = (entries: readonly Entry[], step: string, holon?: string): Entry => {
  const [first] = saidBy(entries, step, holon);
  if (first === undefined) throw new Error(`the journal has no entry of ${step}${holon ? ` by ${holon}` : ''}`);
  return first;
};

/** Every message that was told: its method, who told it, to whom, and about which record. */
export const toldIn = (entries: readonly Entry[]) =>
  entries.flatMap(({ holon, record, told }) =>
    told.map(({ id, method, to }) => ({ id, method, to, from: holon, record })),
  );

/** Entries in which a holon's PLAN came to a plan, one for each iteration. */
export const plansOf = (entries: readonly Entry[], holon: string): Entry[] =>
  saidBy(entries, 'plan', holon).filter(({ data }) => data.allocation !== undefined);

/** Lessons that a plan got for its query, best first. */
export const lessonsOf = ({ data }: Entry): { id: string; score: number }[] => {
  const messages = Array.isArray(data.messages) ? data.messages : [];
  const answer = messages.find((one) => one.method === 'hca/knowledge/query.result');
  return answer?.result.lessons ?? [];
};
