// The home of a host: one folder per person, never inside a workspace, for its owner only (architecture 9). Who runs there is written in
// `host.json`, how to be let in is in `token`; both are only hints: the lock says whether a host is alive.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';

/** What a running host writes about itself. */
export const HostFile = z.object({
  version: z.string(),
  pid: z.int(),
  port: z.int(),
  instance: z.string(),
  token_file: z.string(),
  started_at: z.int(),
});
export type HostFile = z.infer<typeof HostFile>;

/** Owner only. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Files of a home. */
export const homeFiles = (home: string) => ({
  host: path.join(home, 'host.json'),
  token: path.join(home, 'token'),
  lock: path.join(home, 'host.lock'),
  log: path.join(home, 'host.log'),
});

/** `$HCA_HOME`, else the place where this system keeps a person's data. Absolute. */
export const defaultHome = (env: NodeJS.ProcessEnv = process.env, platform: string = process.platform): string => {
  if (env.HCA_HOME) return path.resolve(env.HCA_HOME);
  if (platform === 'darwin') return path.join(os.homedir(), 'Library', 'Application Support', 'hca');
  return path.join(env.XDG_DATA_HOME || path.join(os.homedir(), '.local', 'share'), 'hca');
};

/** Makes the home, or tightens the rights of one that is there. @throws HcaFault HcaUnavailable naming the home. */
export const prepareHome = (home: string): void => {
  try {
    mkdirSync(home, { recursive: true, mode: FOLDER_MODE });
    chmodSync(home, FOLDER_MODE);
  } catch (cause) {
    throw new HcaFault('HcaUnavailable', {
      message: `the home folder ${home} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
      field: 'HCA_HOME',
      remedy: 'set HCA_HOME to a folder that you may write to',
      retryable: false,
      cause,
    });
  }
};

/** Writes who runs here, whole or not at all. */
export const writeHost = (home: string, host: HostFile, token: string): void => {
  const files = homeFiles(home);
  writeWhole(files.token, token);
  writeWhole(files.host, `${JSON.stringify(host, null, 2)}\n`);
};

/** Forgets who ran here; only the host itself does this, while it holds the lock. */
export const forgetHost = (home: string): void => {
  const files = homeFiles(home);
  rmSync(files.host, { force: true });
  rmSync(files.token, { force: true });
};

/** Who says that it runs here, with its token; undefined when nobody does or the files are damaged. */
export const readHost = (home: string): { host: HostFile; token: string } | undefined => {
  const files = homeFiles(home);
  try {
    const host = HostFile.parse(JSON.parse(readFileSync(files.host, 'utf8')));
    return { host, token: readFileSync(files.token, 'utf8').trim() };
  } catch {
    return undefined;
  }
};

/** Version of this package; source and bundle lie one folder below it. */
export const ownVersion = (): string => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
};

/** The program of the background process: the source in a checkout, the bundle in a package. */
export const hostProgram = (): string => {
  const source = fileURLToPath(new URL('../local/main.ts', import.meta.url));
  return existsSync(source) ? source : fileURLToPath(new URL('../dist/local.mjs', import.meta.url));
};

const writeWhole = (file: string, text: string): void => {
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, text, { mode: FILE_MODE });
  renameSync(fresh, file);
};
