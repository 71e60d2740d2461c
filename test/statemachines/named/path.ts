// A named path: what the steps answer, one call after another, and the states that follow. Plain data; any runner of the machine
// files can walk it, and every one must walk it alike.
import type { FaultCode } from '#shared/contracts/errors.ts';
import type { MachineName } from '#shared/contracts/machines.ts';

export type Json = Record<string, unknown>;

/** What one call of a step does. A call with a token also says what becomes of its wait. */
export interface Move {
  output?: Json;
  fault?: FaultCode;
  /** `told`: resolved; `lapses`: never; anything else: failed with that error name. */
  wait?: 'told' | 'lapses' | `Hca${string}`;
}

export interface NamedPath {
  name: string;
  machine: MachineName;
  /** The moves of a step in the order of its calls; `step record` where the children of a Map need their own. */
  script: Readonly<Record<string, readonly Move[]>>;
  /** The states outside a Map, in order, with spaces between. */
  walk: string;
  /** Null for SUCCEEDED, or the error that the execution fails with. */
  fails: string | null;
}

/** A step that returns a word. */
export const says = (word: string, more: Json = {}): Move => ({ output: { word, ...more } });

/** A step that throws a fault. */
export const throws = (fault: FaultCode): Move => ({ fault });

/** A waiting step whose wait is resolved by the time it has returned: the review passed, the child completed. */
export const told: Move = { output: { word: 'waiting' }, wait: 'told' };

/** A waiting step whose answer needs a decision (docs/decisions/0041). */
export const unsettled: Move = { output: { word: 'waiting' }, wait: 'HcaUnsettled' };

/** A waiting step that nobody answers. */
export const lapses: Move = { output: { word: 'waiting' }, wait: 'lapses' };

/** Ten minutes from now on the runner's clock; `soon` is the past: every wait then lapses after the one second it is given at least. */
export const LATER = 'later';
export const SOON = 0;

type Planned = { wave?: string[]; deadline?: unknown };

/** What Plan returns. */
export const plans = (word: string, { wave = [], deadline = LATER }: Planned = {}): Move =>
  says(word, { wave, deadline });

/** The moves of a plan that its machine does not expect: thrown by name, and said when it is asked again. */
export const replans = (word: string, more: Planned = {}): Move[] => [throws('HcaUnsettled'), plans(word, more)];
