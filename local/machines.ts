// The machine files as they are deployed; the runner checks them when they are loaded.
import { readFileSync } from 'node:fs';
import type { MachineName } from '#shared/ports/world.ts';

const NAMES: readonly MachineName[] = ['task', 'review'];

/** Parsed `statemachines/*.asl.json` by machine name. */
export const machineFiles = (): Record<string, unknown> =>
  Object.fromEntries(
    NAMES.map((name) => [
      name,
      JSON.parse(readFileSync(new URL(`../statemachines/${name}.asl.json`, import.meta.url), 'utf8')),
    ]),
  );
