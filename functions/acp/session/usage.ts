// What a running task has spent so far, shown while its entries come: read from the ledgers, at most once a second for each connection, and never
// less than was shown before.
import { type Budget, DIMENSIONS } from '#shared/contracts/budget.ts';
import { ZERO } from '#shared/domain/budget.ts';
import { usageUpdate } from '#shared/protocols/acp/usage.ts';
import type { SessionUpdate } from '#shared/protocols/acp/wire.ts';
import { spentOf } from '../view.ts';
import type { Peer } from './peer.ts';
import type { Following } from './read-on.ts';

const EVERY_MS = 1000;

/** The update to show, if there is one, and the task as it is followed from here on. */
export const usageOf = async (
  { principal, door }: Peer,
  following: Following,
): Promise<{ following: Following; update: SessionUpdate | null }> => {
  const { tasks, ledger, clock } = door.ports;
  const now = clock.now();
  const { used } = following;
  if (used !== undefined && now - used.at < EVERY_MS) return { following, update: null };
  const record = await tasks.load(principal.tenant, following.task);
  if (record?.kind !== 'task') return { following, update: null };
  const spent = await spentOf(ledger, record, await tasks.below(principal.tenant, record.id));
  const before = used?.spent ?? ZERO;
  const isMore = grew(before, spent);
  return {
    following: { ...following, used: { at: now, spent: isMore ? spent : before } },
    update: isMore ? usageUpdate(spent, record.constraints.budget) : null,
  };
};

const grew = (before: Budget, now: Budget): boolean =>
  DIMENSIONS.every((name) => now[name] >= before[name]) && DIMENSIONS.some((name) => now[name] > before[name]);
