// Puts a runner together: machines loaded and checked, journal, executions, tokens.
import { Activity } from '#local/asl/activity.ts';
import { Archive } from '#local/asl/archive.ts';
import { systemClock } from '#local/asl/clock.ts';
import { Executions } from '#local/asl/executions.ts';
import { historyOf } from '#local/asl/history.ts';
import { Journal } from '#local/asl/journal.ts';
import { loadMachine } from '#local/asl/load.ts';
import type { Machine } from '#local/asl/nodes.ts';
import type { AslOptions, AslRunner } from '#local/asl/runner.ts';
import { runScope } from '#local/asl/scope.ts';
import { answerFailure, answerSuccess, beat } from '#local/asl/tokens.ts';
import type { World } from '#local/asl/world.ts';

/** Makes a runner; nothing runs before start() or resume(). Throws AslDefinitionError when a machine cannot be run. */
export function createAsl(options: AslOptions): AslRunner {
  const machines = loadAll(options);
  const world = worldOf(options);
  const executions = new Executions(world, machines, options);
  return {
    start: (execution, input) => executions.start(execution, input),
    describe: (execution) => executions.describe(execution),
    stop: (execution, cause) => executions.stop(execution, cause),
    open: () => executions.open(),
    history: (execution) => historyOf(world.archive, execution, executions.find(execution)),
    succeed: (token, output) => answerSuccess(world, token, output),
    fail: (token, error, cause) => answerFailure(world, token, { error, cause }),
    heartbeat: (token) => beat(world, token),
    resume: () => executions.resume(),
    idle: () => world.activity.idle(),
    close: async () => executions.close(),
  };
}

function loadAll({ machines, functions }: AslOptions): Map<string, Machine> {
  const loaded = Object.entries(machines).map(([name, json]) => loadMachine({ name, json, functions }));
  return new Map(loaded.map((machine) => [machine.name, machine]));
}

function worldOf(options: AslOptions): World {
  return {
    journal: new Journal(options.db),
    archive: new Archive(options.db),
    clock: options.clock ?? systemClock,
    activity: new Activity(),
    tokens: new Map(),
    random: options.random ?? Math.random,
    invoke: (functionName, payload) => options.invoke(functionName, payload),
    runScope,
  };
}
