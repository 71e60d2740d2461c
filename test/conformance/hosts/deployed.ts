// A deployed stack behind its API, asked with signed requests. Where an endpoint is set it is an emulator's, else an account's. The stack
// has one tenant, so every house starts with empty tables: nothing of an earlier one is there to be learned from.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { App } from '#cli/app.ts';
import { applyElsewhere } from '#cli/apply-elsewhere.ts';
import { handOver } from '#cli/hand-over.ts';
import { snapshotHere } from '#local/snapshot-here.ts';
import { filesProfiles } from '#shared/adapters/local/files-profiles.ts';
import { type Door, openDoor } from '#shared/client/door.ts';
import { signature } from '#shared/client/proof.ts';
import { HolarchyFile } from '#shared/contracts/holon.ts';
import { makeFolders } from './folders.ts';
import type { Host } from './host.ts';
import { emptyStack, type Stack, stackOf } from './stack.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

export const openDeployed = async (): Promise<Host> => {
  const stack = stackOf(process.env);
  await emptyStack(stack);
  const folders = makeFolders();
  const home = path.join(folders.top, 'home');
  const door = doorOf(stack);
  await furnish(door);
  return {
    door: () => door,
    folder: folders.next,
    isProcess: false,
    given: async (folder) => {
      const here = await snapshotHere(home, folder);
      const { tree } = await handOver(door, here, () => undefined);
      return { tree, root: here.snapshot.root };
    },
    apply: async (task) => {
      const applied = await applyElsewhere({ home } as App, door, { task, mode: 'write', unaccepted: false });
      return applied?.files ?? [];
    },
    // No process is the house: every request may meet a new one. What a restart could lose is what is nowhere but in memory.
    restart: async () => undefined,
    close: async () => folders.remove(),
  };
};

const doorOf = ({ url, socket, region, keys }: Stack): Door =>
  openDoor({ url, socket, proof: signature(region, async () => keys) });

/** What a deployment puts there: the default holarchy and the harness packages. */
const furnish = async (door: Door): Promise<void> => {
  const { harnesses } = await door.call('_hca/harness/list', {});
  const known = new Set(harnesses.map(({ name }) => name));
  for (const harness of await filesProfiles(path.join(ROOT, 'harnesses')).all())
    if (!known.has(harness.name)) await door.call('_hca/harness/put', { package: harness });
  const file = HolarchyFile.parse(parse(readFileSync(path.join(ROOT, 'hca.config.yaml'), 'utf8')));
  await door.call('_hca/holarchy/apply', { file, force: true });
};
