// Clearing a home of what is over (`hca gc`): finished root tasks past their keep with everything below them, artifacts and
// snapshots that no remaining record names, sessions nobody uses. Cut off anywhere, the next sweep goes on; lessons stay.
import { setImmediate as turn } from 'node:timers/promises';
import { EMPTY_TREE } from '#functions/loop/session.ts';
import { type Collected, collectArtifacts } from '#shared/adapters/local/sqlite-collect.ts';
import { forgetRoot, isStill, PREFIX_END } from '#shared/adapters/local/sqlite-forget.ts';
import { forgetSessions } from '#shared/adapters/local/sqlite-forget-sessions.ts';
import { type Names, namesLeft } from '#shared/adapters/local/sqlite-names.ts';
import type { Swept } from '#shared/contracts/acp-host.ts';
import { MACHINES } from '#shared/contracts/machines.ts';
import type { Sandbox } from '#shared/ports/sandbox.ts';
import type { Workspaces } from '#shared/ports/workspaces.ts';
import { forgetExecutions, isOwed } from './asl/forget.ts';
import { TENANT } from './door.ts';
import type { Runtime } from './runtime.ts';
import { sessionsInUse } from './sessions-in-use.ts';

const DAY_MS = 86_400_000;
const PAGE = 200;
/** Bytes are named by their artifact within milliseconds of being written; a minute spares whatever is under way. */
const SPARED_MS = 60_000;

/** What there is to clear beside the database. */
export interface Sweepable {
  workspaces: Pick<Workspaces, 'collect'>;
  sandbox: Pick<Sandbox, 'sweep'>;
  /** Names of the sessions on disk, half-made ones included, and the trees they stand on. */
  sessions: { names(): string[]; trees(): string[] };
}

/** Deletes root tasks that ended more than `keepDays` ago and are still. `bytes`: what the disk got back from artifacts and snapshots. */
export const sweepHome = async (runtime: Runtime, outside: Sweepable, keepDays: number): Promise<Swept> => {
  const now = runtime.ports.clock.now();
  const sessions = await sweepSessions(runtime, outside);
  const over = (await endedBefore(runtime, now - keepDays * DAY_MS)).filter((root) => isOver(runtime, root));
  for (const root of over) await remove(runtime, root);
  runtime.storage.inbox.gc(now);
  const names = await namesLeft(runtime.storage.db, turn);
  const conversations = await forgetSessions(
    runtime.storage.db,
    { tenant: TENANT, before: now - keepDays * DAY_MS },
    turn,
  );
  const artifacts = await collectBytes(runtime, names);
  const snapshots = await outside.workspaces.collect(
    new Set([...names.hashes, ...outside.sessions.trees(), EMPTY_TREE]),
  );
  return {
    tasks: over.length,
    artifacts: artifacts.artifacts,
    sessions,
    conversations,
    bytes: artifacts.bytes + snapshots.bytes,
  };
};

/** A session that is opened while the records are read is no left-over, so only what was there before may go. */
const sweepSessions = async (runtime: Runtime, { sandbox, sessions }: Sweepable): Promise<number> => {
  const before = new Set(sessions.names());
  const inUse = await sessionsInUse(TENANT, runtime.ports.tasks);
  const fresh = sessions.names().filter((name) => !before.has(name));
  return (await sandbox.sweep(new Set([...inUse, ...fresh]))).length;
};

const endedBefore = async (runtime: Runtime, until: number): Promise<string[]> => {
  const found: string[] = [];
  let before: string | undefined;
  for (;;) {
    const page = await runtime.ports.tasks.roots(TENANT, { limit: PAGE, ...(before === undefined ? {} : { before }) });
    found.push(...page.filter((row) => row.ended_at !== null && row.ended_at < until).map(({ id }) => id));
    before = page.at(-1)?.id;
    if (page.length < PAGE) return found;
    await turn();
  }
};

/** Its end may still be told, to its knowledge base or by its machine: then the next sweep takes it. */
const isOver = ({ storage }: Runtime, root: string): boolean =>
  isStill(storage.db, TENANT, root) && executionsOf(root).every((names) => !isOwed(storage.db.native, names));

const remove = async ({ storage }: Runtime, root: string): Promise<void> => {
  for (const names of executionsOf(root)) await forgetExecutions(storage.db.native, names, turn);
  await forgetRoot(storage.db, { tenant: TENANT, id: root }, turn);
};

const executionsOf = (root: string) => MACHINES.map((machine) => ({ machine, from: root, until: root + PREFIX_END }));

const collectBytes = ({ storage }: Runtime, { artifacts }: Names): Promise<Collected> =>
  collectArtifacts(storage, { named: artifacts, before: Date.now() - SPARED_MS }, turn);
