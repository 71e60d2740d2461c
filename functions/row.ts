// What a register row promises, checked where it is relied on: input, output, record and ports of a step.
import { HcaFault } from '#shared/contracts/errors.ts';
import type { MachineInput, MessageInput } from '#shared/contracts/step-inputs.ts';
import { STEPS, type StepInput, type StepName, type StepOutput } from '#shared/contracts/steps.ts';
import type { AnyRecord } from '#shared/contracts/task.ts';
import type { Ports, StepPorts } from '#shared/ports/index.ts';
import { PERFORMING, type Performing } from './effects.ts';
import type { RecordOf } from './step.ts';

/** Largest output of a step, in characters of JSON: far below the 256 KiB between states (pitfall 23). */
const OUTPUT_LIMIT = 32_768;

/** The payload as the row's input. @throws HcaFault HcaBadInput naming the field */
export const readInput = <S extends StepName>(name: S, raw: unknown): StepInput<S> => {
  if (isInput(name, raw)) return raw;
  const issue = STEPS[name].input.safeParse(raw).error?.issues[0];
  throw new HcaFault('HcaBadInput', {
    message: `${name}: ${issue?.message ?? 'bad input'}`,
    field: issue?.path.join('.') ?? '',
  });
};

/** The row's output, of bounded size. Anything else is a bug of the step. @throws HcaFault HcaTooLarge */
export const readOutput = <S extends StepName>(name: S, output: unknown): StepOutput<S> => {
  if (!isOutput(name, output)) throw new Error(`bug: ${name} returned what its row does not allow`);
  const size = JSON.stringify(output).length;
  if (size > OUTPUT_LIMIT)
    throw new HcaFault('HcaTooLarge', { message: `${name}: output of ${size} characters, limit ${OUTPUT_LIMIT}` });
  return output;
};

/** The record, of the kind the row works on. @throws HcaFault HcaBadInput */
export const readRecord = <S extends StepName>(name: S, record: AnyRecord | undefined): RecordOf<S> => {
  if (isRecordOf(name, record)) return record;
  throw new HcaFault('HcaBadInput', {
    message: `${name} does not work on a ${record?.kind ?? 'missing record'}`,
    field: 'record',
  });
};

/** The host's ports as the row narrows them. */
export const narrow = <S extends StepName>(name: S, ports: object): StepPorts<S> => {
  if (provides(name, ports)) return ports;
  throw new Error(`bug: this host lacks a port of ${name}`);
};

/** The host's ports as a change is committed through them. */
export const committing = (name: StepName, ports: object): Performing => {
  if (commits(ports)) return ports;
  throw new Error(`bug: this host lacks a port that ${name} is committed through`);
};

/** Whether an input came from a machine; else a message called. */
export const isMachineInput = (input: unknown): input is MachineInput =>
  typeof input === 'object' && input !== null && 'execution' in input && 'tick' in input;

/** Whether a message called. */
export const isMessageInput = (input: unknown): input is MessageInput =>
  typeof input === 'object' && input !== null && 'message' in input;

const isInput = <S extends StepName>(name: S, raw: unknown): raw is StepInput<S> =>
  STEPS[name].input.safeParse(raw).success;

const isOutput = <S extends StepName>(name: S, output: unknown): output is StepOutput<S> =>
  STEPS[name].output.safeParse(output).success;

const isRecordOf = <S extends StepName>(
  name: S,
  record: AnyRecord | undefined,
): record is RecordOf<S> & (AnyRecord | undefined) => {
  const kind: string = STEPS[name].record;
  return kind === 'any' ? record !== undefined : (record?.kind ?? 'none') === kind;
};

const provides = <S extends StepName>(name: S, ports: object): ports is Ports & StepPorts<S> =>
  Object.keys(STEPS[name].ports).every((port) => port in ports);

const commits = (ports: object): ports is Performing => PERFORMING.every((port) => port in ports);
