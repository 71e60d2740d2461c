// The order in which a change takes effect: record, effects, messages, journal, token (architecture section 2, rule 1).
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Entry } from '#shared/contracts/journal.ts';
import type { StepName } from '#shared/contracts/steps.ts';
import type { AnyRecord, Last } from '#shared/contracts/task.ts';
import type { Ports } from '#shared/ports/index.ts';
import type { Call } from './call.ts';
import { carryThrough } from './carry-through.ts';
import type { Committing, Performing } from './effects.ts';
import { headOf } from './entry.ts';
import { seal } from './envelope.ts';
import { meet, settleWait } from './rendezvous.ts';
import type { Change } from './step.ts';

/** Saves the changed record on the version that was read, then does the rest; only the save decides. */
export const commit = async (
  deed: { record: AnyRecord; change: Change<StepName>; call: Call },
  ports: Performing,
): Promise<void> => {
  const { record, change, call } = deed;
  const version = record.version + 1;
  const now = ports.clock.now();
  const saying = { record, version, caused_by: call.caused_by, at: now, hop: call.hop };
  const last: Last = {
    step: call.step,
    at: call.at,
    also: change.also ?? [],
    tell: seal(change.tell ?? [], saying),
    entry: change.entry,
    caused_by: call.caused_by,
    saved_at: now,
    output: { ...change.output },
    wait: change.wait ?? null,
  };
  const saved = { ...change.record, version, generation: Math.max(record.generation, call.at.generation), last };
  await ports.tasks.save(saved, record.version);
  await repeat(saved, call, ports);
};

/** Everything after the save; harmless when all of it was done before. */
export const repeat = async (record: AnyRecord, call: Call, ports: Committing): Promise<void> => {
  await carryThrough(record, ports);
  if (call.token !== null && record.last?.wait != null) await writeToken(record, { ...call, token: call.token }, ports);
};

/** The token first, then the marks: a cancel that walked before the token was written is seen here (trace V7). */
const writeToken = async (record: AnyRecord, call: Call & { token: string }, ports: Committing): Promise<void> => {
  const key = record.last?.wait;
  if (key == null) return;
  const wait = await ports.waits.token(record.tenant, key, { token: call.token, fence: call.fence });
  await meet(wait.token === call.token ? wait : { ...wait, token: call.token }, ports);
  if (key.on === '~ends' || wait.outcome !== null) return;
  const cause = await ports.marks.read(record.tenant, marksOf(record));
  if (cause === null) return;
  await settleWait(record.tenant, { key, outcome: { word: 'cancelled', by: cause, body: null } }, ports);
};

/** Throws HcaCancelled when the record's task or its root is marked; read before anything is decided. */
export const heed = async (record: AnyRecord, ports: Pick<Ports, 'marks'>): Promise<void> => {
  const cause = await ports.marks.read(record.tenant, marksOf(record));
  if (cause !== null) throw new HcaFault('HcaCancelled', { message: cause });
};

/** Journal note of a message that changed nothing. */
export const noteOf = (record: AnyRecord, what: { text: string; call: Call; at: number }): Entry => ({
  ...headOf(record),
  text: what.text,
  data: {},
  version: 0,
  note: `${what.call.step}:${what.call.caused_by}`,
  kind: 'note',
  step: what.call.step,
  told: [],
  caused_by: what.call.caused_by,
  at: what.at,
});

const marksOf = (record: AnyRecord): string[] => [record.root, record.kind === 'task' ? record.id : record.task];
