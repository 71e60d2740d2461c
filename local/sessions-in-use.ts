// Sandbox sessions that belong to a task which is still open; every other one is what a crash left behind.

import { sessionsOf } from '#functions/loop/sessions.ts';
import type { AnyRecord } from '#shared/contracts/task.ts';
import { isTerminal } from '#shared/domain/lifecycle.ts';
import type { TasksRead } from '#shared/ports/tasks.ts';

const PAGE = 1000;

/** Names of the sessions in use in a tenant. */
export const sessionsInUse = async (tenant: string, tasks: TasksRead): Promise<Set<string>> => {
  const roots = await tasks.roots(tenant, { limit: PAGE, open: true });
  const below = await Promise.all(roots.map(({ id }) => tasks.below(tenant, id)));
  return new Set(below.flat().flatMap(sessionsOfOpen));
};

const sessionsOfOpen = (record: AnyRecord): string[] =>
  record.kind === 'task' && !isTerminal(record.state) ? sessionsOf(record) : [];
