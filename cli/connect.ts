// Finds the host of a home, or starts one: the first command starts it, later ones join. Two that start at once end up with one host,
// because only one process gets the home's lock.
import { setTimeout as pause } from 'node:timers/promises';
import { homeFiles, ownVersion, prepareHome, readHost } from '#local/home.ts';
import { type Door, openDoor } from '#shared/client/door.ts';
import type { Pong } from '#shared/contracts/acp-host.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { startHost } from './start-host.ts';

/** A host that answered. */
export interface Running {
  door: Door;
  pong: Pong;
}

/** Longest wait for a host that another command is starting, or that is just ending. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 25;

/** @throws HcaFault HcaUnavailable when there is no host and none can be started, or it is of another version and busy. */
export const connect = async (home: string, options: { start?: boolean; config?: string } = {}): Promise<Running> => {
  const found = await reach(home);
  if (found !== undefined) return options.start === false ? found : sameVersion(home, found);
  if (options.start === false)
    throw new HcaFault('HcaUnavailable', { message: `no host runs in ${home}`, remedy: 'hca up' });
  prepareHome(home);
  return raise(home, options.config, Date.now() + PATIENCE_MS);
};

/** Starts a host; when another one holds the home, joins that one, or tries again if it was just ending. */
const raise = async (home: string, config: string | undefined, until: number): Promise<Running> => {
  const outcome = await startHost(home, config);
  for (let looks = 0; looks < 20; looks += 1) {
    const found = await reach(home);
    if (found !== undefined) return sameVersion(home, found);
    await pause(LOOK_MS);
  }
  if (outcome === 'busy' && Date.now() < until) return raise(home, config, until);
  throw new HcaFault('HcaUnavailable', {
    message: `the host of ${home} does not answer`,
    field: 'host',
    remedy: `look into ${homeFiles(home).log}`,
  });
};

/** The host that says it runs here, if it really answers. */
const reach = async (home: string): Promise<Running | undefined> => {
  const known = readHost(home);
  if (known === undefined || !isAlive(known.host.pid)) return undefined;
  const door = openDoor({ url: `http://127.0.0.1:${known.host.port}`, token: known.token });
  try {
    const pong = await door.call('_hca/ping', {});
    return pong.instance === known.host.instance ? { door, pong } : undefined;
  } catch {
    return undefined;
  }
};

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** A host of another version is replaced when it is idle; with open tasks it is left alone and the person decides. */
const sameVersion = async (home: string, running: Running): Promise<Running> => {
  const version = ownVersion();
  const { pong, door } = running;
  if (pong.version === version) return running;
  if (pong.open > 0) {
    throw new HcaFault('HcaUnavailable', {
      message: `the host runs hca ${pong.version} and has ${pong.open} open tasks; this command is hca ${version}`,
      field: 'version',
      remedy: 'wait for them, or end the host with hca down: its tasks go on in the new one',
      retryable: false,
    });
  }
  await door.call('_hca/down', {});
  await gone(pong.pid);
  return connect(home);
};

/** Resolves when a process is gone. @throws HcaFault HcaUnavailable when it stays. */
export const gone = async (pid: number): Promise<void> => {
  const until = Date.now() + PATIENCE_MS;
  while (isAlive(pid)) {
    if (Date.now() > until) {
      throw new HcaFault('HcaUnavailable', {
        message: `the host (process ${pid}) does not end`,
        field: 'host',
        remedy: `end it with: kill ${pid}`,
      });
    }
    await pause(LOOK_MS);
  }
};
