// The machine files as plain data, every state with its name, those inside a Map included.
import { machineFiles } from '#local/machines.ts';
import type { MachineName } from '#shared/contracts/machines.ts';

export type Json = Record<string, unknown>;

export interface State {
  name: string;
  json: Json;
  /** Inside the Map of this name. */
  within: string | null;
}

/** A parsed machine file. */
export const machine = (name: MachineName): Json => machineFiles()[name] as Json;

/** Every state of a machine. */
export const statesOf = (name: MachineName): State[] => walk(machine(name), null);

const walk = ({ States }: Json, within: string | null): State[] =>
  Object.entries(States as Record<string, Json>).flatMap(([name, json]) => [
    { name, json, within },
    ...('ItemProcessor' in json ? walk(json.ItemProcessor as Json, name) : []),
  ]);

/** The Tasks, with the step that each calls and whether it waits for a token. */
export const tasksOf = (name: MachineName) =>
  statesOf(name)
    .filter(({ json }) => json.Type === 'Task')
    .map((state) => ({
      ...state,
      step: String((state.json.Arguments as Json).FunctionName).replace(/^\$\{(.*)\}$/, '$1'),
      payload: (state.json.Arguments as Json).Payload as Json,
      waits: String(state.json.Resource).endsWith('.waitForTaskToken'),
    }));

/** Every string anywhere in a machine. */
export const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
};
