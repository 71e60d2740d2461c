// A scope of a machine file as read: its states checked in shape one by one, and the scopes of its Maps.
import { type MachineShape, StateShape } from '#local/asl/definition.ts';
import { join, type Problems } from '#local/asl/problems.ts';

/** The states of a machine or of a Map's processor, in file order. */
export interface ScopeShape {
  /** '' for the machine itself. */
  readonly path: string;
  readonly startAt: string;
  readonly states: ReadonlyMap<string, StateShape>;
  /** The scopes of the Maps in it, by the Map's name. */
  readonly inner: ReadonlyMap<string, ScopeShape>;
}

/** Reads a scope and everything inside it; states that do not fit their shape are noted and left out. */
export function readScope(
  shape: Pick<MachineShape, 'StartAt' | 'States'>,
  path: string,
  problems: Problems,
): ScopeShape {
  const states = new Map<string, StateShape>();
  const inner = new Map<string, ScopeShape>();
  for (const [name, raw] of Object.entries(shape.States)) {
    const place = join(path, ['States', name]);
    const state = problems.parse(StateShape, raw, place);
    if (state !== undefined) states.set(name, state);
    if (state?.Type === 'Map') inner.set(name, readScope(state.ItemProcessor, `${place}.ItemProcessor`, problems));
  }
  return { path, startAt: shape.StartAt, states, inner };
}
