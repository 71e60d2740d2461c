// Finds the host of a home, or starts one: the first command starts it, later ones join. Two that start at once end up with one host,
// because only one process gets the home's lock.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { homeFiles, ownVersion, prepareHome, readHost } from '#local/home.ts';
import { endpointOf } from '#shared/client/address.ts';
import { type Door, openDoor } from '#shared/client/door.ts';
import { fixedToken } from '#shared/client/proof.ts';
import type { Pong } from '#shared/contracts/acp-host.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { type HostOptions, startHost } from './start-host.ts';

/** A host that answered. */
export interface Running {
  door: Door;
  pong: Pong;
}

/** Longest wait for a host that another command is starting, or that is just ending. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 25;
/** A host that is alive answers a ping in milliseconds, on a very busy machine in a second. */
const PING_MS = 5000;

/** @throws HcaFault HcaUnavailable when there is no host and none can be started, or it is of another version and busy. */
export const connect = async (
  home: string,
  options: { start?: boolean; host?: HostOptions } = {},
): Promise<Running> => {
  const found = await reach(home);
  if (found !== undefined) return options.start === false ? found : sameVersion(home, found);
  if (options.start === false)
    throw new HcaFault('HcaUnavailable', { message: `no host runs in ${home}`, remedy: 'hca up' });
  prepareHome(home);
  return raise(home, options.host ?? {}, Date.now() + PATIENCE_MS);
};

/** Starts a host; when another one holds the home, joins that one, or tries again if it was just ending. */
const raise = async (home: string, options: HostOptions, until: number): Promise<Running> => {
  const outcome = await startHost(home, options);
  for (let looks = 0; looks < 20 && Date.now() < until; looks += 1) {
    const found = await reach(home);
    if (found !== undefined) return sameVersion(home, found);
    await pause(LOOK_MS);
  }
  if (outcome === 'busy' && Date.now() < until) return raise(home, options, until);
  throw new HcaFault('HcaUnavailable', {
    message: `the host of ${home} does not answer`,
    field: 'host',
    remedy: `look into ${homeFiles(home).log}${endingIt(home)}`,
  });
};

/** A host that hangs can only be killed; that loses nothing. */
const endingIt = (home: string): string => {
  const pid = readHost(home)?.host.pid;
  return pid !== undefined && isAlive(pid)
    ? `, or end it with kill -9 ${pid}: the next one goes on with its tasks`
    : '';
};

/** The host that says it runs here, if it really answers. */
const reach = async (home: string): Promise<Running | undefined> => {
  const known = readHost(home);
  if (known === undefined || !isAlive(known.host.pid)) return undefined;
  const address = { ...endpointOf(`http://127.0.0.1:${known.host.port}`), proof: fixedToken(known.token) };
  try {
    const pong = await openDoor(address, { patience: PING_MS }).call('_hca/ping', {});
    return pong.instance === known.host.instance ? { door: openDoor(address), pong } : undefined;
  } catch {
    return undefined;
  }
};

/** Whether a process runs. One that has ended and that nobody has waited for (a container without an init) runs no more. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
};

/** By the state behind the name in brackets; unknown where there is no /proc. */
const isZombie = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.startsWith('Z') === true;
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
