// The machines as they are deployed: the files under statemachines/, and what they say about the functions they call.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { MACHINES, type MachineName } from '#shared/contracts/machines.ts';

/** Path of a machine's file. */
export const machineFile = (name: MachineName): string =>
  fileURLToPath(new URL(`../statemachines/${name}.asl.json`, import.meta.url));

/** A state that invokes a function. `seconds`: its time limit, null where it is computed or the state waits for a token. */
export interface Invocation {
  state: string;
  calls: string;
  seconds: number | null;
}

/** Every invocation in a machine, states inside a Map included. */
export const invocationsIn = (name: MachineName): Invocation[] => invocationsOf(readMachine(name).States);

const State = z.looseObject({
  Type: z.string(),
  Resource: z.string().optional(),
  TimeoutSeconds: z.union([z.number(), z.string()]).optional(),
  Arguments: z.looseObject({ FunctionName: z.string().optional() }).optional(),
  ItemProcessor: z.looseObject({ States: z.record(z.string(), z.unknown()) }).optional(),
});
const Machine = z.looseObject({ States: z.record(z.string(), z.unknown()) });

const readMachine = (name: MachineName): z.infer<typeof Machine> =>
  Machine.parse(JSON.parse(readFileSync(machineFile(name), 'utf8')));

const invocationsOf = (states: Record<string, unknown>): Invocation[] =>
  Object.entries(states).flatMap(([state, raw]) => {
    const { Resource = '', TimeoutSeconds, Arguments, ItemProcessor } = State.parse(raw);
    const calls = /^\$\{(\w+)\}$/.exec(Arguments?.FunctionName ?? '')?.[1];
    const inside = ItemProcessor === undefined ? [] : invocationsOf(ItemProcessor.States);
    if (calls === undefined) return inside;
    const limited = typeof TimeoutSeconds === 'number' && !Resource.endsWith('.waitForTaskToken');
    return [{ state, calls, seconds: limited ? TimeoutSeconds : null }, ...inside];
  });

/** Whether a machine calls a function of this name. */
export const invokesByMachine = (name: string): boolean =>
  MACHINES.flatMap(invocationsIn).some(({ calls }) => calls === name);

/** Names bound in a machine's text, each once. */
export const namesIn = (name: MachineName): string[] =>
  [
    ...new Set([...readFileSync(machineFile(name), 'utf8').matchAll(/\$\{(\w+)\}/g)].map((found) => found[1] ?? '')),
  ].sort();

/** Longest a step may run: the shortest limit of the states that call it, or 60 s where none has one. Lambda allows 900. */
export const timeoutOf = (step: string): number => {
  const limits = MACHINES.flatMap(invocationsIn).flatMap(({ calls, seconds }) =>
    calls === step && seconds !== null ? [seconds] : [],
  );
  return Math.min(900, ...(limits.length === 0 ? [60] : limits));
};
