// One invocation as perform sees it: which record, which moment, and the token to write at the end.
import { parseExecution } from '#shared/contracts/ids.ts';
import type { MachineInput, MessageInput } from '#shared/contracts/step-inputs.ts';
import type { StepName } from '#shared/contracts/steps.ts';
import type { Moment } from '#shared/contracts/task.ts';

/** One invocation as perform sees it: which record, which moment, and the token to write at the end. */
export interface Call {
  step: StepName;
  tenant: string;
  record: string;
  at: Moment;
  caused_by: string;
  hop: number;
  token: string | null;
  fence: string;
  failing: boolean;
}

/** A machine's invocation: the moment is (generation, tick). */
export const fromMachine = (step: StepName, input: MachineInput): Call => {
  const { generation } = parseExecution(input.execution);
  return {
    step,
    tenant: input.tenant,
    record: input.record,
    at: { generation, tick: input.tick, turn: 0, message: null },
    caused_by: `${input.execution}#${input.tick}`,
    hop: 0,
    token: input.token ?? null,
    fence: `${generation}.${input.redrive ?? 0}.${input.tick}.${input.retry ?? 0}`,
    failing: input.error !== undefined && input.error.name !== '',
  };
};

/** A message's invocation: the moment is the message. */
export const fromMessage = (step: StepName, { message }: MessageInput): Call => ({
  step,
  tenant: message.tenant,
  record: message.task,
  at: { generation: 0, tick: 0, turn: 0, message: message.id },
  caused_by: message.id,
  hop: message.hop + 1,
  token: null,
  fence: '',
  failing: false,
});
