// How a root task ended, in a form that two runs can be compared by: states, verdicts, attempts, ledgers; and what must hold in every run.
import { createHash } from 'node:crypto';
import type { Runtime } from '#local/runtime.ts';
import type { Ledger } from '#shared/contracts/budget.ts';
import { DIMENSIONS } from '#shared/contracts/budget.ts';
import type { Entry } from '#shared/contracts/journal.ts';
import type { AnyRecord } from '#shared/contracts/task.ts';
import { TENANT } from '#test/support/submit.ts';

/** The comparable end of a root. Ids are without the root's own; versions and times are left out. */
export interface FinalState {
  records: Record<string, unknown>;
  ledgers: Record<string, unknown>;
  lessons: string[];
}

/** Everything below a root as it is now. */
export const finalState = async ({ ports }: Runtime, root: string): Promise<FinalState> => {
  const short = (id: string) => id.replace(root, 'R');
  const below = await ports.tasks.below(TENANT, root);
  const tasks = below.filter(({ kind }) => kind === 'task').map(({ id }) => id);
  const ledgers = await Promise.all(tasks.map((id) => ports.ledger.read(TENANT, id)));
  const lessons = below.flatMap((record) => (record.kind === 'task' && record.lesson !== null ? [record.lesson] : []));
  const stored = await Promise.all(lessons.map((id) => ports.lessons.get(TENANT, id)));
  return {
    records: sorted(below.map((record) => [short(record.id), summary(record)])),
    ledgers: sorted(tasks.map((id, index) => [short(id), totals(ledgers[index])])),
    lessons: stored.map((lesson) => (lesson === undefined ? 'missing' : short(lesson.id))).sort(),
  };
};

/** Short enough to be compared by eye. */
export const hashOf = (state: FinalState): string =>
  createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 16);

const sorted = (entries: [string, unknown][]): Record<string, unknown> =>
  Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));

const summary = (record: AnyRecord): unknown => {
  const { kind, state, holon } = record;
  if (kind === 'delegation') {
    const { n, offer, to, tried } = record;
    return { kind, state, holon, n, offer, to, tried: tried.map(({ holon, outcome }) => [holon, outcome]) };
  }
  if (kind === 'review') return { kind, state, holon, result: record.verdict?.result, mode: record.verdict?.mode };
  return {
    kind,
    state,
    holon,
    iteration: record.iteration,
    attempts: record.attempts.map(({ iteration, result, alternative }) => [iteration, result, alternative]),
    verdict: record.verdict?.result ?? null,
    children: record.child_verdicts.length,
    accepted: record.result !== null,
    escalation: record.escalation?.reason ?? null,
    lesson: record.lesson !== null,
  };
};

/** A call that a crash cut off is paid for at its worst case, so calls and time are compared by the tests that do not crash. */
const totals = (ledger: Ledger | undefined): unknown =>
  ledger === undefined
    ? null
    : { closed: ledger.closed, attempts: ledger.committed.attempts, calls: ledger.committed.calls };

/** The same end, but for what cut-off calls cost. */
export const withoutCalls = (state: FinalState): FinalState => ({
  ...state,
  ledgers: Object.fromEntries(
    Object.entries(state.ledgers).map(([id, ledger]) => [id, { ...(ledger as object), calls: undefined }]),
  ),
});

/** Whatever happened on the way: each sentence that does not hold. Empty is right. */
export const broken = async (house: Runtime, root: string): Promise<string[]> => {
  const below = await house.ports.tasks.below(TENANT, root);
  const entries = await journalOf(house, root);
  const tasks = below.filter(({ kind }) => kind === 'task');
  const ledgers = await Promise.all(tasks.map(({ id }) => house.ports.ledger.read(TENANT, id)));
  return [
    ...below.filter(isOpen).map(({ id, state }) => `${id} is still ${state}`),
    ...below.flatMap((record) => gaps(record, entries)),
    ...ledgers.flatMap((ledger) => (ledger === undefined ? [] : overruns(ledger))),
    ...house.asl.open().map(({ name }) => `execution ${name} is still open`),
    ...house.storage.bus.deadLetters().map(({ id, cause }) => `message ${id} died: ${cause}`),
  ];
};

const isOpen = ({ kind, state }: AnyRecord): boolean =>
  kind !== 'delegation' && !['completed', 'escalated', 'cancelled', 'rejected', 'told'].includes(state);

/** Every entry below a root. */
export const journalOf = async ({ ports }: Runtime, root: string): Promise<Entry[]> =>
  (await ports.journal.read(TENANT, root, { cursor: '', limit: 10_000 })).entries;

const gaps = (record: AnyRecord, entries: readonly Entry[]): string[] => {
  const found = entries.filter((one) => one.record === record.id && one.note === null).map(({ version }) => version);
  const wanted = Array.from({ length: record.version }, (_, index) => index + 1);
  const isWhole = JSON.stringify(found.toSorted((a, b) => a - b)) === JSON.stringify(wanted);
  return isWhole ? [] : [`the journal of ${record.id} has versions ${found}, the record is at ${record.version}`];
};

const overruns = (ledger: Ledger): string[] =>
  DIMENSIONS.filter((dimension) => {
    const open = Object.values(ledger.open).reduce((sum, amount) => sum + amount[dimension], 0);
    const used = ledger.committed[dimension] + open + ledger.granted_to_children[dimension];
    return used + ledger.returned[dimension] > ledger.granted[dimension];
  }).map((dimension) => `the ledger of ${ledger.task} is overrun in ${dimension}`);
