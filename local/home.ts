// The home of a host: one folder per person, never inside a workspace, for its owner only (architecture 9). Who runs there is written in
// `host.json`, how to be let in is in `token`; both are only hints: the lock says whether a host is alive.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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

/** `$HCA_HOME`, else the place where this system keeps a person's data. Absolute, also where `HOME` is empty or XDG names no absolute folder. */
export const defaultHome = (env: NodeJS.ProcessEnv = process.env, platform: string = process.platform): string => {
  if (env.HCA_HOME) return path.resolve(env.HCA_HOME);
  const person = path.isAbsolute(os.homedir()) ? os.homedir() : os.userInfo().homedir;
  if (platform === 'darwin') return path.join(person, 'Library', 'Application Support', 'hca');
  const data = env.XDG_DATA_HOME ?? '';
  return path.join(path.isAbsolute(data) ? data : path.join(person, '.local', 'share'), 'hca');
};

/** Makes the home, or tightens the rights of one that is there. @throws HcaFault HcaUnavailable naming the home. */
export const prepareHome = (home: string): void => {
  try {
    makeFolders(home);
    if (isForeign(home)) throw new Error("it has files in it that are not hca's, so it is somebody else's folder");
    chmodSync(home, FOLDER_MODE);
    accessSync(home, constants.W_OK | constants.X_OK);
    closeSync(openSync(homeFiles(home).log, 'a', FILE_MODE));
  } catch (cause) {
    throw new HcaFault('HcaUnavailable', {
      message: `the home folder ${home} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
      field: 'HCA_HOME',
      remedy: 'set HCA_HOME to a folder of its own that you may write to',
      retryable: false,
      cause,
    });
  }
};

/** One by one: Node's own recursive form never ends where a file system (`/proc`) says of a folder it cannot make that it is not there. */
const makeFolders = (folder: string): void => {
  if (existsSync(folder)) return;
  makeFolders(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: FOLDER_MODE });
  } catch (error) {
    // Another command has made it in the meantime.
    if (!existsSync(folder)) throw error;
  }
};

/** Closing a folder for everybody else is right for a home, and a disaster for `/tmp` or `~`. */
const isForeign = (folder: string): boolean => {
  const names = readdirSync(folder);
  return names.length > 0 && !names.some((name) => OWN_NAMES.test(name));
};

const OWN_NAMES = /^(hca\.sqlite|credentials\.json|host\.(json|lock|log))$/;

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
