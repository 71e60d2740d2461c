// The arguments that confine a command with bubblewrap: a file system of listed folders, own process, network, IPC and host
// name spaces, and the session's tree at the workspace's own absolute path (architecture 9).
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { contains } from './scan.ts';

/** Everything one command may see. `mounts` are shown read-only at `at`. */
export type BubblewrapView = {
  workspace: string;
  work: string;
  home: string;
  tmp: string;
  mounts: readonly { source: string; at: string }[];
  show: readonly string[];
  cwd: string;
  network: boolean;
};

/** Where a session's private home appears. */
export const SESSION_HOME = '/home/hca';

/** Absolute path of a bubblewrap that this machine lets do all that is asked of it, or null. Never looked for in a workspace. */
export function findBubblewrap(path: readonly string[]): string | null {
  const program = path.map((folder) => join(folder, 'bwrap')).find((candidate) => existsSync(candidate));
  if (program === undefined) return null;
  const args = [...isolation(false), ...system(), '--proc', '/proc', '--dev', '/dev', '--', '/bin/sh', '-c', 'exit 0'];
  return spawnSync(program, args, { stdio: 'ignore', timeout: 10_000 }).status === 0 ? program : null;
}

/** Arguments up to and including `--`. Later mounts lie over earlier ones, so the workspace comes after what may contain it. */
export function bubblewrapArguments(view: BubblewrapView): string[] {
  return [
    ...isolation(view.network),
    ...system(),
    ...['--proc', '/proc', '--dev', '/dev', '--bind', view.tmp, '/tmp', '--bind', view.home, SESSION_HOME],
    ...view.show.filter((path) => !isSystem(path) && existsSync(path)).flatMap((path) => ['--ro-bind', path, path]),
    ...['--bind', view.work, view.workspace],
    ...view.mounts.flatMap(({ source, at }) => ['--ro-bind-try', source, at]),
    ...['--chdir', view.cwd, '--'],
  ];
}

/** `--cap-drop ALL` matters when the host runs as root: bubblewrap would keep its capabilities. */
function isolation(network: boolean): string[] {
  const spaces = ['--unshare-user-try', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'];
  const rest = ['--die-with-parent', '--new-session', '--hostname', 'hca', '--cap-drop', 'ALL'];
  return [...spaces, ...(network ? [] : ['--unshare-net']), ...rest];
}

const ROOTS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'];

/** What programs read to find libraries, names, certificates and the time; no host keys, no shadow file, no own settings. */
const ETC = [
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'alternatives',
  'passwd',
  'group',
  'nsswitch.conf',
  'hosts',
  'services',
  'protocols',
  'localtime',
  'timezone',
  'mime.types',
  'os-release',
  'debian_version',
  'ssl/certs',
  'ssl/openssl.cnf',
  'ca-certificates',
  'pki/tls/certs',
  'pki/ca-trust',
  'fonts',
  'java-17-openjdk',
  'java-21-openjdk',
]; // prettier-ignore

function system(): string[] {
  const roots = ROOTS.flatMap((path) => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return [];
    return stat.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
  });
  const etc = ETC.map((name) => join('/etc', name)).flatMap((path) => ['--ro-bind-try', path, path]);
  return [...roots, ...etc, ...resolver()];
}

/** Often a link into /run, so its target is shown in its place. */
function resolver(): string[] {
  const path = '/etc/resolv.conf';
  return existsSync(path) ? ['--ro-bind', realpathSync(path), path] : [];
}

function isSystem(path: string): boolean {
  return ROOTS.some((root) => contains(root, path));
}
