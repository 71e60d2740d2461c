// What a remote session is: a folder on its agent-server with a record in it. Nothing of it is in memory, so any process enters it again.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Confinement } from '#shared/contracts/evidence.ts';
import { TreeId } from '#shared/contracts/workspace.ts';
import type { AgentServerClient } from './server-client.ts';
import type { ServerAbout } from './wire.ts';

export const RemoteRecord = z.strictObject({
  id: z.string(),
  base: TreeId,
  opened: TreeId,
  workspace: z.string(),
  network: z.boolean().describe('what the policy asked for'),
  memory_bytes: z.number().int().positive().nullable(),
  /** The server lets a command be started without a network. */
  netless: z.boolean(),
  dependencies: z
    .string()
    .describe('what was done about them')
    .default('dependency folders of the original are not there'),
});
export type RemoteRecord = z.infer<typeof RemoteRecord>;

/** `top` belongs to the session; `live` is renamed into place whole, so a half-made session is none. `up` is for uploads. */
export type RemoteFolders = { top: string; live: string; work: string; record: string; up(name: string): string };

const PREFIX = 'hca-';

/** An id may hold any character, a folder name may not. */
export function remoteFolders(home: string, id: string): RemoteFolders {
  const plain = /^[A-Za-z0-9_-]{1,100}$/.test(id) ? id : createHash('sha256').update(id).digest('hex');
  return foldersAt(`${home}/${PREFIX}${plain}`);
}

/** Folders of every session below the server's home. */
export async function allFolders(client: AgentServerClient): Promise<RemoteFolders[]> {
  const home = await client.home();
  const names = (await client.folders(home)).filter((name) => name.startsWith(PREFIX));
  return names.map((name) => foldersAt(`${home}/${name}`));
}

/** Null when there is no such session. */
export async function loadRemote(client: AgentServerClient, folders: RemoteFolders): Promise<RemoteRecord | null> {
  const bytes = await client.download(folders.record);
  if (bytes === null) return null;
  try {
    return RemoteRecord.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch (cause) {
    throw new HcaFault('HcaCorrupt', { message: `the record of the session in ${folders.top} is damaged`, cause });
  }
}

/** What is known of how far commands there are confined; what is not known counts as open. `egress`: said by who started the server. */
export function confinementOf(
  record: RemoteRecord,
  server: { origin: string; about: ServerAbout; egress: boolean | undefined },
): Confinement {
  const { origin, about, egress } = server;
  const network = !isNetless(record) && (egress ?? about.hca?.network ?? true);
  return {
    kind: 'remote',
    network,
    memory_limited: record.memory_bytes !== null || about.hca?.memory_limited === true,
    notes: [
      `commands run on ${about.title} ${about.version} at ${origin}`,
      ...(about.hca === undefined
        ? ['what confines them there is not known']
        : [`there they are confined by ${about.hca.kind}`]),
      ...(about.hca?.sessions_apart === true ? [] : ['sessions on one server see each other']),
      ...(network && !record.network ? ['the policy closes the network, the server does not'] : []),
      ...(record.memory_bytes === null ? [] : ['the memory limit holds for each process, not for their sum']),
      record.dependencies,
      'what is reported of a command comes from the machine that it ran on',
    ],
  };
}

/** Whether commands are started without a network. */
export const isNetless = (record: RemoteRecord): boolean => record.netless && !record.network;

function foldersAt(top: string): RemoteFolders {
  const live = `${top}/live`;
  return { top, live, work: `${live}/work`, record: `${live}/session.json`, up: (name) => `${top}/up-${name}` };
}
