// The workflows port on the embedded runner, and what its executions went through.
import type { ExecutionEvent } from '#shared/contracts/acp-trace.ts';
import type { MachineName } from '#shared/contracts/machines.ts';
import type { ExecutionStatus, History, Workflows } from '#shared/ports/world.ts';
import type { HistoryEvent } from './asl/history-event.ts';
import type { AslRunner } from './asl/runner.ts';

/** The runner is asked for at each call, because steps and runner know each other. */
export const workflowsOf = (runner: () => AslRunner): Workflows => ({
  start: async (machine, name, input) => runner().start({ machine, name }, input).kind,
  succeed: async (token) => void runner().succeed(token, {}),
  fail: async (token, error, cause) => void runner().fail(token, error, cause),
  stop: async (machine, name, cause) => void runner().stop({ machine, name }, cause),
  describe: async (machine, name) => statusOf(runner(), machine, name),
});

const statusOf = (runner: AslRunner, machine: MachineName, name: string): ExecutionStatus | undefined => {
  const found = runner.describe({ machine, name });
  if (found === undefined) return undefined;
  return { status: found.status, started_at: found.started, ended_at: found.ended, error: found.error ?? null };
};

/** The history of the embedded runner; there is no console beside it. */
export const historyPort = (runner: () => AslRunner): History => ({
  events: async (machine, name) => runner().history({ machine, name }).map(eventOf),
  link: () => null,
});

const eventOf = ({ id, previousEventId, type, timestamp, name, error }: HistoryEvent): ExecutionEvent => ({
  id,
  previous: previousEventId,
  type,
  at: timestamp,
  name: name ?? null,
  error: error ?? null,
});
