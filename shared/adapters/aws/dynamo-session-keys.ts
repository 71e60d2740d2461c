// Where what belongs to ACP sessions lies in its table: the kind stands behind the tenant, so that no two kinds ever share a partition.
import type { AcpTurn } from '#shared/contracts/acp-session.ts';
import type { Owner } from '#shared/ports/sessions.ts';
import { fingerprint, joined } from './dynamo-rows.ts';
import type { Key } from './dynamo-table.ts';

/** Days after which sessions, turns, connections and requests that nobody has touched may go, as `hca gc` has it elsewhere. */
export const SESSION_DAYS = 30;
/** Days for what points to a turn, written when it begins: a turn is touched for as long as it runs. One that points to nothing finds nothing. */
export const POINTER_DAYS = 2 * SESSION_DAYS;

/** Partition of somebody's sessions; sorted by session. */
export const sessionsOf = ({ tenant, subject }: Owner): string => joined(tenant, 'sessions', subject);

/** A folder that somebody allowed to be written without asking. */
export const folderKey = ({ tenant, subject }: Owner, folder: string): Key => ({
  pk: joined(tenant, 'folders', subject),
  sk: fingerprint(folder),
});

/** Partition of a connection: itself under `connection`, and what it follows. */
export const connectionPartition = (tenant: string, id: string): string => joined(tenant, 'connection', id);
export const connectionKey = (tenant: string, id: string): Key => ({
  pk: connectionPartition(tenant, id),
  sk: 'connection',
});
export const FOLLOWS = 'follows#';

/** Partition of the connections that follow a session. */
export const followersOf = (tenant: string, session: string): string => joined(tenant, 'followers', session);

/** Partition of a session's turns: `now`, the one that keeps others out, and lists of ids; the turns lie in partitions of their own. */
export const turnsOf = (tenant: string, session: string): string => joined(tenant, 'turns', session);
export const NOW = 'now';
export const UNFINISHED = 'now#';
export const ALL = 'all#';

/** Partition of a turn: itself under `turn`, and the requests that belong to it. */
export const turnPartition = (tenant: string, id: string): string => joined(tenant, 'turn', id);
export const turnKey = (tenant: string, id: string): Key => ({ pk: turnPartition(tenant, id), sk: 'turn' });
export const REQUEST = 'request#';

/** Items that say which turn something belongs to. */
export const requestPointer = (tenant: string, id: string): Key => pointer(joined(tenant, 'request', id));
export const taskPointer = (tenant: string, task: string): Key => pointer(joined(tenant, 'task', task));
export const callerPointer = (tenant: string, { connection, rpc }: AcpTurn['caller']): Key =>
  pointer(joined(tenant, 'caller', fingerprint(JSON.stringify([connection, rpc]))));

const pointer = (pk: string): Key => ({ pk, sk: 'pointer' });
