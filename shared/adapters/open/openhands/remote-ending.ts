// The end of remote sessions: what runs is killed, the folder deleted; and of all sessions that nobody needs any more.
import { randomUUID } from 'node:crypto';
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

/** Ends every session on these servers that is not in `alive`; answers with their ids. */
export async function sweepServers(servers: readonly AgentServer[], alive: ReadonlySet<string>): Promise<string[]> {
  const ended: string[] = [];
  for (const server of servers) {
    const client = new AgentServerClient(server);
    for (const folders of await allFolders(client)) {
      const record = await loadRemote(client, folders);
      if (record === null || alive.has(record.id)) continue;
      await endSession({ client, folders });
      ended.push(record.id);
    }
  }
  return ended;
}
