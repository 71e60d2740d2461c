// The end of remote sessions: what runs is killed, the folder deleted; and of all sessions that nobody needs any more.
import { randomUUID } from 'node:crypto';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { AgentServer } from '#shared/ports/agent-servers.ts';
import { askRemote, type RemotePlace } from './remote-scripting.ts';
import { AgentServerClient } from './server-client.ts';
import { allFolders, loadRemote } from './session-record.ts';
import { quoted, STOP, within } from './shell-words.ts';

/** Renamed first: a session that is half deleted is no session any more. The folder itself may be one that only the server can remove. */
export async function endSession(place: RemotePlace): Promise<void> {
  const { top, live } = place.folders;
  const script = `${STOP}cd ${quoted(top)} || exit 1
mv -T -- "$S" ${quoted(`${top}/gone-${randomUUID()}`)} 2>/dev/null
rm -rf -- ./* ./.[!.]* ; cd / && rmdir -- ${quoted(top)} 2>/dev/null
exit 0
`;
  await askRemote(place, within(live, script));
}

/**
 * Ends every session on these servers that is not in `alive`; answers with their ids. One server that does not answer, asleep or dying, keeps nobody
 * from the others. @throws HcaFault HcaUnavailable when none answers
 */
export async function sweepServers(servers: readonly AgentServer[], alive: ReadonlySet<string>): Promise<string[]> {
  const swept = await Promise.allSettled(servers.map((server) => sweepServer(server, alive)));
  const failed = swept.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const grave = failed.find((reason) => !isAway(reason));
  if (grave !== undefined) throw grave;
  if (failed.length > 0 && failed.length === servers.length) throw failed[0];
  return swept.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

const isAway = (reason: unknown): boolean => reason instanceof HcaFault && reason.code === 'HcaUnavailable';

async function sweepServer(server: AgentServer, alive: ReadonlySet<string>): Promise<string[]> {
  const client = new AgentServerClient(server);
  const ended: string[] = [];
  for (const folders of await allFolders(client)) {
    const record = await loadRemote(client, folders);
    if (record === null || alive.has(record.id)) continue;
    await endSession({ client, folders });
    ended.push(record.id);
  }
  return ended;
}
