// Clearing a home of what is over: finished root tasks past their keep, with everything below them, and sessions nobody uses.

import type { Swept } from '#shared/contracts/acp-host.ts';
import type { RootRow } from '#shared/ports/tasks.ts';
import { TENANT } from './door.ts';
import type { Outside, Runtime } from './runtime.ts';
import { sessionsInUse } from './sessions-in-use.ts';

const DAY_MS = 86_400_000;
const PAGE = 200;

/** Tables that hold something of a root, with the column that begins with its id. */
const OF_A_ROOT = [
  'DELETE FROM journal WHERE tenant = ? AND root = ?',
  'DELETE FROM records WHERE tenant = ? AND root = ?',
] as const;

/** Deletes root tasks that ended more than `keepDays` ago; lessons stay, they are what was learned. */
export const sweepHome = async (runtime: Runtime, outside: Outside, keepDays: number): Promise<Swept> => {
  const until = runtime.ports.clock.now() - keepDays * DAY_MS;
  const ended = await endedBefore(runtime, until);
  let artifacts = 0;
  for (const { id } of ended) artifacts += await removeRoot(runtime, id);
  runtime.storage.inbox.gc(runtime.ports.clock.now());
  const sessions = await outside.sandbox.sweep(await sessionsInUse(TENANT, runtime.ports.tasks));
  return { tasks: ended.length, artifacts, sessions: sessions.length, bytes: 0 };
};

const endedBefore = async (runtime: Runtime, until: number): Promise<RootRow[]> => {
  const found: RootRow[] = [];
  let before: string | undefined;
  for (;;) {
    const page = await runtime.ports.tasks.roots(TENANT, { limit: PAGE, ...(before === undefined ? {} : { before }) });
    found.push(...page.filter((row) => row.ended_at !== null && row.ended_at < until));
    before = page.at(-1)?.id;
    if (page.length < PAGE) return found;
  }
};

const removeRoot = async (runtime: Runtime, root: string): Promise<number> => {
  const artifacts = await runtime.ports.artifacts.list(TENANT, root);
  const { db } = runtime.storage;
  db.transaction(() => {
    for (const sql of OF_A_ROOT) db.run(sql, [TENANT, root]);
  });
  return artifacts.length;
};
