// Parse, run, check, commit: the one way a step takes effect (architecture section 2). A crash anywhere loses nothing and decides once.
import { HcaFault } from '#shared/contracts/errors.ts';
import type { MachineInput } from '#shared/contracts/step-inputs.ts';
import { STEPS, type StepInput, type StepName, type StepOutput } from '#shared/contracts/steps.ts';
import type { AnyRecord, Last, Moment } from '#shared/contracts/task.ts';
import { type Call, fromMachine, fromMessage } from './call.ts';
import { rollForward } from './carry-through.ts';
import { commit, heed, noteOf, repeat } from './commit.ts';
import type { Performing } from './effects.ts';
import { committing, isMachineInput, isMessageInput, narrow, readInput, readOutput, readRecord } from './row.ts';
import type { Step } from './step.ts';

interface Run<S extends StepName> {
  name: S;
  step: Step<S>;
  input: StepInput<S>;
  call: Call;
  /** Version of the record that this invocation has committed to the end; null on entering. */
  committed: number | null;
}

/** What a turn put out, and the version it left behind. */
interface Turned<S extends StepName> {
  output: StepOutput<S>;
  version: number;
}

/**
 * Binds a step to a host's ports: those of its row, and what a change is committed through. The result takes the raw payload of an invocation and gives
 * the step's output; `stopBy` (ms since the epoch) is when it begins no further turn, for a host that ends an invocation by force.
 */
export const perform =
  <S extends StepName>(name: S, step: Step<S>, ports: object) =>
  async (raw: unknown, stopBy = Number.POSITIVE_INFINITY): Promise<StepOutput<S>> => {
    const input = readInput(name, raw);
    if (STEPS[name].record === 'none') return plain({ name, step, input }, ports);
    const run = { name, step, input, call: callOf(name, input), committed: null };
    return straight(run, await cycle(run, committing(name, ports), stopBy));
  };

const callOf = (name: StepName, input: unknown): Call => {
  if (isMachineInput(input)) return fromMachine(name, input);
  if (isMessageInput(input)) return fromMessage(name, input);
  throw new Error(`bug: ${name} works on a record, but neither a machine nor a message called it`);
};

/** Runs turn after turn while the step says `more` and its time lasts; a turn is a whole committed cycle. */
const cycle = async <S extends StepName>(run: Run<S>, ports: Performing, stopBy: number): Promise<StepOutput<S>> => {
  const { slice_ms } = STEPS[run.name];
  const until = Math.min(ports.clock.now() + slice_ms, stopBy);
  let done = await turn(run, ports);
  while (isMore(done.output) && ports.clock.now() < until)
    done = await turn({ ...run, committed: done.version }, ports);
  if (isMore(done.output)) throw unfinished(run);
  return done.output;
};

/** No machine loops over a step: its Retry begins again at the same tick, behind the last turn that was committed (docs/decisions/0013). */
const unfinished = ({ name, call }: Pick<Run<StepName>, 'name' | 'call'>): HcaFault =>
  new HcaFault('HcaMore', { message: `${name} of ${call.record} goes on in another invocation` });

/** What does not go straight on is committed all the same; a machine that asks again at this tick, and expects nothing, is told which way instead. */
const straight = <S extends StepName>({ name, input, call }: Run<S>, output: StepOutput<S>): StepOutput<S> => {
  const word = isMachineInput(input) ? expected(name, input) : null;
  if (word === null || wordOf(output) === word) return output;
  throw new HcaFault('HcaUnsettled', { message: `${name} of ${call.record}: ${wordOf(output)}` });
};

/** Two machines expect two words of one step, so each says its own; of the others the register does. */
const expected = (name: StepName, { expects, unsettled }: MachineInput): string | null =>
  unsettled === true ? null : (expects ?? STEPS[name].straight);

/** What this invocation committed itself is not repeated: each message of a turn would be said again by the next one. */
const turn = async <S extends StepName>(run: Run<S>, ports: Performing): Promise<Turned<S>> => {
  const { call } = run;
  const record = await ports.tasks.load(call.tenant, call.record);
  if (record === undefined) throw new HcaFault('HcaNotFound', { message: `no record ${call.record}`, field: 'record' });
  const order = compare(call.at, record.last);
  if (order < 0) throw stale(run);
  if (order > 0) {
    await rollForward(record, ports);
    return decide(run, record, ports);
  }
  if (record.version !== run.committed) await repeat(record, call, ports);
  if (!isMore(record.last?.output))
    return { output: readOutput(run.name, record.last?.output), version: record.version };
  return decide(
    { ...run, call: { ...call, at: { ...call.at, turn: (record.last?.at.turn ?? 0) + 1 } } },
    record,
    ports,
  );
};

/** A zombie: the machine has gone on without it. It touches nothing, and nobody reads what it says (trace V1). */
const stale = ({ name, call }: Pick<Run<StepName>, 'name' | 'call'>): HcaFault =>
  new HcaFault('HcaStale', { message: `${name} of ${call.record} is over: ${call.caused_by}` });

const decide = async <S extends StepName>(run: Run<S>, record: AnyRecord, ports: Performing): Promise<Turned<S>> => {
  const { call, name } = run;
  if (STEPS[name].heeds && !call.failing) await heed(record, ports);
  const change = await run.step(
    { ...run.input, turn: call.at.turn, entering: run.committed === null },
    readRecord(name, record),
    narrow(name, ports),
  );
  const output = readOutput(name, change.output);
  if ('note' in change) {
    await ports.journal.append(noteOf(record, { text: change.note, call, at: ports.clock.now() }));
    return { output, version: record.version };
  }
  await commit({ record, change, call }, ports);
  return { output, version: record.version + 1 };
};

/** Earlier, same or later than the record's last change. A message is compared by its id. */
const compare = (at: Moment, last: Last | null): number => {
  if (last === null) return 1;
  if (at.message !== null) return last.at.message === at.message ? 0 : 1;
  const now = at.generation - last.at.generation || at.tick - last.at.tick;
  return now === 0 && last.at.message !== null ? 1 : now;
};

const plain = async <S extends StepName>(
  run: Omit<Run<S>, 'call' | 'committed'>,
  ports: object,
): Promise<StepOutput<S>> => {
  const result = await run.step(
    { ...run.input, turn: 0, entering: true },
    readRecord(run.name, undefined),
    narrow(run.name, ports),
  );
  return readOutput(run.name, result.output);
};

const isMore = (output: unknown): boolean => wordOf(output) === 'more';

const wordOf = (output: unknown): string =>
  typeof output === 'object' && output !== null && 'word' in output ? String(output.word) : '';
