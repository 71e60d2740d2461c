// Node's cache of compiled sources: without it every command strips and compiles some two hundred files anew. Imports nothing of ours,
// because it must be on before anything of ours is loaded. Kept in the person's own cache folder, where nobody else can write.
import { enableCompileCache } from 'node:module';
import os from 'node:os';
import path from 'node:path';

/** Where the cache is, for a child process too; undefined when this person has no home folder. */
export const compileCacheFolder = (): string | undefined => {
  const { XDG_CACHE_HOME, HOME } = process.env;
  if (XDG_CACHE_HOME) return path.join(XDG_CACHE_HOME, 'hca', 'node');
  if (!HOME) return undefined;
  const folder = process.platform === 'darwin' ? path.join('Library', 'Caches') : '.cache';
  return path.join(os.homedir(), folder, 'hca', 'node');
};

/** Turns it on for this process; where it cannot be written, nothing changes. */
export const useCompileCache = (): void => {
  const folder = compileCacheFolder();
  if (folder !== undefined) enableCompileCache(folder);
};
