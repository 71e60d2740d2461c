// Sandbox sessions that belong to a task which is still open; every other one is what a crash left behind.

import { sessionsOf } from '#functions/loop/sessions.ts';
import type { AnyRecord } from '#shared/contracts/task.ts';
import { isTerminal } from '#shared/domain/lifecycle.ts';
import type { TasksRead } from '#shared/ports/tasks.ts';

const PAGE = 200;

/** Names of the sessions in use in a tenant. */
export const sessionsInUse = async (tenant: string, tasks: TasksRead): Promise<Set<string>> => {
  const names = new Set<string>();
  let before: string | undefined;
  for (;;) {
    const page = { limit: PAGE, open: true, ...(before === undefined ? {} : { before }) };
    const roots = await tasks.roots(tenant, page);
    const below = await Promise.all(roots.map(({ id }) => tasks.below(tenant, id)));
    for (const name of below.flat().flatMap(sessionsOfOpen)) names.add(name);
    before = roots.at(-1)?.id;
    if (roots.length < PAGE) return names;
  }
};

const sessionsOfOpen = (record: AnyRecord): string[] =>
  record.kind === 'task' && !isTerminal(record.state) ? sessionsOf(record) : [];
