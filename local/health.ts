// What `hca doctor` looks at: Node, home, database, disk, sandbox, holarchy, harness packages. Each check says what is wrong and what to do about it.
import { mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { HealthCheck } from '#shared/contracts/acp-host.ts';
import { toFault } from '#shared/contracts/errors.ts';
import { checkHolarchy } from '#shared/domain/holarchy.ts';
import type { Ports } from '#shared/ports/index.ts';
import { TENANT } from './door.ts';

/** Below this a task may not be able to take its snapshot. */
const LEAST_FREE = 1024 ** 3;
const NEEDED_NODE = 24;

/** Runs every check; one that breaks is a failed check, never a failed doctor. */
export const examine = async (home: string, ports: Ports): Promise<HealthCheck[]> => {
  const checks: [string, () => Promise<Finding> | Finding][] = [
    ['node', node],
    ['home', () => homeRights(home)],
    ['database', () => database(home)],
    ['disk', () => disk(home)],
    ['holarchy', () => holarchy(ports)],
    ['harnesses', () => harnesses(ports)],
    ['sandbox', () => sandbox(ports)],
  ];
  return Promise.all(checks.map(([name, check]) => checked(name, check)));
};

type Finding = Omit<HealthCheck, 'name'>;

const fine = (detail: string): Finding => ({ status: 'ok', detail, remedy: '' });

const checked = async (name: string, check: () => Promise<Finding> | Finding): Promise<HealthCheck> => {
  try {
    return { name, ...(await check()) };
  } catch (error) {
    const { message, remedy } = toFault(error);
    const repair = remedy ?? 'repair what the message names, then run hca doctor again';
    return { name, status: 'fail', detail: message, remedy: repair };
  }
};

const node = (): Finding => {
  const isNew = Number(process.versions.node.split('.')[0]) >= NEEDED_NODE;
  if (isNew) return fine(`Node ${process.versions.node}`);
  return { status: 'fail', detail: `Node ${process.versions.node}`, remedy: `use Node ${NEEDED_NODE} or newer` };
};

const homeRights = (home: string): Finding => {
  const mode = statSync(home).mode & 0o777;
  if ((mode & 0o077) === 0) return fine(`${home}, for its owner only`);
  return { status: 'fail', detail: `${home} can be read by others`, remedy: `chmod 700 "${home}"` };
};

/** `quick_check` reads every page; what it finds is what a backup is for. */
const database = (home: string): Finding => {
  const file = path.join(home, 'hca.sqlite');
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('PRAGMA quick_check(3)').all();
  db.close();
  const found = rows.map((row) => Object.values(row).join(' ')).join('; ');
  if (found === 'ok') return fine(`${file}, sound`);
  return { status: 'fail', detail: found, remedy: `hca down, then put a backup in the place of ${file}` };
};

const disk = (home: string): Finding => {
  const { bavail, bsize } = statfsSync(home);
  const free = bavail * bsize;
  const detail = `${(free / 1024 ** 3).toFixed(1)} GiB free`;
  return free >= LEAST_FREE ? fine(detail) : { status: 'warn', detail, remedy: 'free some space, or run hca gc' };
};

const holarchy = async (ports: Ports): Promise<Finding> => {
  const cards = await ports.holons.all(TENANT);
  const problem = checkHolarchy(cards)[0];
  if (problem === undefined) return fine(`${cards.length} holons`);
  return { status: 'fail', detail: `${problem.field}: ${problem.message}`, remedy: problem.remedy };
};

const harnesses = async (ports: Ports): Promise<Finding> => {
  const names = await ports.profiles.names();
  const cards = await ports.holons.all(TENANT);
  const without = cards.find(({ harness }) => harness !== null && !names.includes(harness));
  if (without === undefined) return fine(names.join(', '));
  const detail = `the holon "${without.id}" works with "${without.harness}", which is not there`;
  return { status: 'warn', detail, remedy: 'hca harness put it, or hca holarchy apply a file in which nobody has it' };
};

/** Opens a session on an empty folder and says how far what runs there is confined. */
const sandbox = async (ports: Ports): Promise<Finding> => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hca-doctor-'));
  const id = `doctor-${ports.clock.ulid()}`;
  try {
    const { tree, root } = await ports.workspaces.take(folder);
    const { confinement } = await ports.sandbox.open({ id, tree, workspace: root, network: false });
    const ran = await ports.sandbox.run(id, { command: ['true'], timeout_ms: 10_000, output_bytes: 1024 });
    const detail = [confinement.kind, `exit ${ran.exit_code}`, ...confinement.notes].join('; ');
    if (confinement.kind === 'bubblewrap' && ran.exit_code === 0) return fine(detail);
    return { status: 'warn', detail, remedy: 'install bubblewrap (apt install bubblewrap) so that work is confined' };
  } finally {
    await ports.sandbox.close(id);
    rmSync(folder, { recursive: true, force: true });
  }
};
