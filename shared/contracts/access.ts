// Which ports a function of the cloud host is given, and with which access: its register row and what runs around the step. Plain data; its
// readers are the grants and environment of the stack, the handlers' types and the tests that compare the three (architecture sections 4, 11).
import { type Access, STEPS, type StepName, type StepRow } from './steps.ts';

/** What `perform` itself needs to load, commit and repeat the change of a step that works on a record. `workflows: call` resolves tokens only. */
export const COMMITS = {
  tasks: 'write',
  waits: 'write',
  marks: 'write',
  ledger: 'write',
  workflows: 'call',
  messages: 'write',
  journal: 'write',
  clock: 'read',
} as const satisfies Record<string, Access>;

/** What both doors work with, and no sandbox (docs/decisions/0072); `store` and `workspaces` are one. */
const DOOR = {
  artifacts: 'read',
  clock: 'read',
  connections: 'call',
  history: 'read',
  holons: 'read',
  journal: 'write',
  ledger: 'write',
  lessons: 'read',
  messages: 'write',
  profiles: 'read',
  sessions: 'write',
  tasks: 'write',
  watchers: 'write',
  workflows: 'read',
  workspaces: 'write',
} as const;

/** Functions that are no steps: the northbound door, what pushes to its open connections, and what keeps the pool of sandboxes. */
export const DOORS = {
  acp: { ...DOOR, holons: 'write', lessons: 'write', letters: 'write', profiles: 'write', throttle: 'write' },
  stream: DOOR,
  upkeep: { clock: 'read', pool: 'call' },
} as const satisfies Record<string, Record<string, Access>>;

export type DoorName = keyof typeof DOORS;
/** Every function of the cloud host but the authorizer, which needs nothing of the house. */
export type FunctionName = StepName | DoorName;

/** Names of the functions, steps first. */
export const FUNCTIONS: readonly FunctionName[] = [...keysOf(STEPS), ...keysOf(DOORS)];

/** Port and access of a function; of two accesses to one port the wider one. */
export const accessOf = (name: FunctionName): Readonly<Record<string, Access>> => {
  if (isDoor(name)) return DOORS[name];
  const row: StepRow = STEPS[name];
  const around = row.record === 'none' ? {} : COMMITS;
  return widest(row.ports, around);
};

/** Whether the bus calls a step: its input is a message. */
export const consumes = (name: StepName): boolean => 'message' in shapeOf(STEPS[name]);

const isDoor = (name: FunctionName): name is DoorName => name in DOORS;

const shapeOf = ({ input }: StepRow): object =>
  'shape' in input && typeof input.shape === 'object' ? (input.shape ?? {}) : {};

const WIDTH: readonly Access[] = ['release', 'read', 'call', 'write'];

const widest = (
  some: Readonly<Record<string, Access>>,
  more: Readonly<Record<string, Access>>,
): Record<string, Access> => {
  const all: Record<string, Access> = { ...some };
  for (const [port, access] of Object.entries(more)) {
    const there = all[port];
    if (there === undefined || WIDTH.indexOf(there) < WIDTH.indexOf(access)) all[port] = access;
  }
  return all;
};

function keysOf<K extends string>(record: Readonly<Record<K, unknown>>): K[] {
  const isKey = (key: string): key is K => key in record;
  return Object.keys(record).filter(isKey);
}
