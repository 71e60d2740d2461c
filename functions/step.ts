// What a step is: it loads nothing twice, decides by rules, and returns a change; perform commits it (architecture section 2).
import type { Effect, WaitKey } from '#shared/contracts/effects.ts';
import type { EntryBody } from '#shared/contracts/journal.ts';
import type { Method, Params, ResultMethod, ResultOf } from '#shared/contracts/messages.ts';
import type { STEPS, StepInput, StepName, StepOutput } from '#shared/contracts/steps.ts';
import type { AnyRecord, DelegationRecord, ReviewRecord, TaskRecord } from '#shared/contracts/task.ts';
import type { StepPorts } from '#shared/ports/index.ts';

/** Something to tell: perform seals it with id, envelope and trace. */
export type Say =
  | { [M in Method]: { method: M; to: string; task: string; params: Params<M> } }[Method]
  | {
      [M in ResultMethod]: { method: `${M}.result`; to: string; task: string; result: ResultOf<M> };
    }[ResultMethod];

/** What a step returns. `wait`: the wait on which the machine's token is to be written. */
export interface Change<S extends StepName = StepName> {
  record: AnyRecord;
  also?: Effect[];
  entry: EntryBody;
  tell?: Say[];
  output: StepOutput<S>;
  wait?: WaitKey;
}

/** A message that came too early or too late, or that changes nothing: journalled as a note, nothing saved. */
export interface Note<S extends StepName = StepName> {
  note: string;
  output: StepOutput<S>;
}

interface RecordOfKind {
  task: TaskRecord;
  delegation: DelegationRecord;
  review: ReviewRecord;
  any: AnyRecord;
  none: undefined;
}

/** The record a step works on, by its register row. */
export type RecordOf<S extends StepName> = RecordOfKind[(typeof STEPS)[S]['record']];

/** `turn` counts the committed cycles within a tick; `entering`: the first of this invocation, so another process may have done the last. */
export interface Turn {
  turn: number;
  entering: boolean;
}

/** A step: input and record in, change out; its ports are exactly as wide as its row. */
export type Step<S extends StepName> = (
  input: StepInput<S> & Turn,
  record: RecordOf<S>,
  ports: StepPorts<S>,
) => Promise<Change<S> | Note<S>>;
