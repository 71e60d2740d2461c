// A deployed stack behind its API, asked with signed requests. Where an endpoint is set it is an emulator's, else an account's. The stack
// has one tenant, so every house starts with empty tables: nothing of an earlier one is there to be learned from.
import { type Door, openDoor } from '#shared/client/door.ts';
import { signature } from '#shared/client/proof.ts';
import type { Host } from '../house.ts';
import { makeFolders } from './folders.ts';
import { emptyStack, type Stack, stackOf } from './stack.ts';

export const openDeployed = async (): Promise<Host> => {
  const stack = stackOf(process.env);
  await emptyStack(stack);
  const folders = makeFolders();
  const door = doorOf(stack);
  return {
    door: () => door,
    folder: folders.next,
    // No process is the house: every request may meet a new one. What a restart could lose is what is nowhere but in memory.
    restart: async () => undefined,
    close: async () => folders.remove(),
  };
};

const doorOf = ({ url, socket, region, keys }: Stack): Door =>
  openDoor({ url, socket, proof: signature(region, async () => keys) });
