// The embedded host: a real process with a home of its own.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { connect, gone } from '#cli/connect.ts';
import { makeFolders } from './folders.ts';
import type { Host } from './host.ts';

export const openLocal = async (): Promise<Host> => {
  process.env.HCA_IDLE_MINUTES = '5';
  const folders = makeFolders();
  const home = path.join(folders.top, 'home');
  let running = await connect(home).catch((error: unknown) => {
    const log = path.join(home, 'host.log');
    const said = existsSync(log) ? readFileSync(log, 'utf8') : '';
    folders.remove();
    throw new Error(`the host did not start: ${said}`, { cause: error });
  });
  const end = async (): Promise<void> => {
    const { pid } = await running.door.call('_hca/down', {});
    await gone(pid);
  };
  return {
    door: () => running.door,
    folder: folders.next,
    isProcess: true,
    given: async (folder) => folder,
    apply: async (task) => (await running.door.call('_hca/task/apply', { task })).files,
    restart: async () => {
      await end();
      running = await connect(home);
    },
    close: async () => {
      await end();
      folders.remove();
    },
  };
};
