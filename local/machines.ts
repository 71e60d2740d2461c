// The machine files as they are deployed; the runner checks them when they are loaded. And what becomes of executions of one that is no more.
import { readFileSync } from 'node:fs';
import { MACHINES } from '#shared/contracts/machines.ts';

/** Parsed `statemachines/*.asl.json` by machine name. */
export const machineFiles = (): Record<string, unknown> =>
  Object.fromEntries(
    MACHINES.map((name) => [
      name,
      JSON.parse(readFileSync(new URL(`../statemachines/${name}.asl.json`, import.meta.url), 'utf8')),
    ]),
  );

/**
 * SQL on the runner's tables, oldest first, never edited. One machine `task` became two: what it ran keeps its history under the name of its kind, and
 * what was open has ended, so that sweep starts its next generation.
 */
export const MACHINE_MIGRATIONS: readonly string[] = [
  `UPDATE asl_executions SET
     machine = CASE WHEN EXISTS (SELECT 1 FROM asl_visits WHERE execution = asl_executions.id AND next = 'Wave')
       THEN 'coordinator' ELSE 'leaf' END,
     ended = CASE status WHEN 'RUNNING' THEN CAST(unixepoch('subsec') * 1000 AS INTEGER) ELSE ended END,
     error = CASE status WHEN 'RUNNING' THEN 'States.Aborted' ELSE error END,
     cause = CASE status WHEN 'RUNNING' THEN 'its machine is no more' ELSE cause END,
     status = CASE status WHEN 'RUNNING' THEN 'ABORTED' ELSE status END
   WHERE machine = 'task'`,
];
