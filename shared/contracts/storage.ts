// What the cloud host stores things in: tables with their keys, and the names a function finds them by (architecture section 8). Plain
// data, read by the adapters, by the stack that makes the tables and by the tests that make them elsewhere.
import type { MachineName } from './machines.ts';

/**
 * A sparse index: only items that carry its partition attribute are in it. Attributes are strings. `copies`: what it holds of an item beside the keys,
 * every change of which is a write of the index as well.
 */
export interface TableIndex {
  name: string;
  partition: string;
  sort: string;
  copies: readonly string[] | 'all';
}

/** Every table has the string keys `pk` and `sk`. `expires`: items may carry `expires_at` (s). `stream`: changes wake `stream`. */
export interface TableShape {
  indexes: readonly TableIndex[];
  expires: boolean;
  stream: boolean;
}

const plain = { indexes: [], expires: false, stream: false } as const;

/** Attribute that says when an item may go, in seconds since 1970. */
export const EXPIRES_AT = 'expires_at';

/**
 * The tables. Every `pk` begins with the tenant, or with `~` where something is no tenant's:
 * holons `tenant`; tasks and journal `tenant#root`; waits `tenant#task`; marks `tenant#root`; ledger `tenant#task`; lessons `tenant#…`;
 * sessions `tenant#kind#…`; profiles `~house`. In the journal, an item whose `sk` begins with `log#` is an entry; others are claims to a place.
 */
export const TABLES = {
  holons: plain,
  tasks: {
    ...plain,
    indexes: [
      { name: 'open', partition: 'open_of', sort: 'sk', copies: [] },
      { name: 'roots', partition: 'roots_of', sort: 'sk', copies: [] },
      { name: 'owner-roots', partition: 'owner_roots_of', sort: 'sk', copies: [] },
      { name: 'open-roots', partition: 'open_roots_of', sort: 'sk', copies: ['owner'] },
      { name: 'leases', partition: 'lease_shard', sort: 'lease_until', copies: [] },
    ],
  },
  waits: { ...plain, expires: true },
  ledger: plain,
  journal: { ...plain, stream: true },
  lessons: { ...plain, indexes: [{ name: 'idle', partition: 'idle_of', sort: 'moved_at', copies: [] }] },
  sessions: { ...plain, expires: true },
  profiles: plain,
} as const satisfies Record<string, TableShape>;

export type TableName = keyof typeof TABLES;

/** Names of the environment variables by which a function finds what it uses. */
export const VARIABLES = {
  /** Name of a table. */
  table: (name: TableName): string => `HCA_TABLE_${name.toUpperCase()}`,
  /** Name of the bucket of artifacts, trees, blobs and snapshots. */
  bucket: 'HCA_BUCKET',
  /** Name of the event bus. */
  bus: 'HCA_BUS',
  /** ARN of a state machine. */
  machine: (name: MachineName): string => `HCA_MACHINE_${name.toUpperCase()}`,
  /** URL of the queue of what could not be delivered or finished. */
  letters: 'HCA_LETTERS',
  /** Address at which open WebSocket connections are pushed to. */
  connections: 'HCA_CONNECTIONS',
  /** URL of the sandbox (an agent-server), and the name of the secret with its key. */
  sandbox: 'HCA_SANDBOX',
  sandboxSecret: 'HCA_SANDBOX_SECRET',
  /**
   * Without a URL a Fargate task is started for each session: its cluster and task definition, subnets with commas between, the security group that lets
   * nothing out, and the one for sessions whose policy opens the network. The secret is then what the tasks wake with.
   */
  sandboxCluster: 'HCA_SANDBOX_CLUSTER',
  sandboxTask: 'HCA_SANDBOX_TASK',
  sandboxSubnets: 'HCA_SANDBOX_SUBNETS',
  sandboxGroup: 'HCA_SANDBOX_GROUP',
  sandboxGroupOpen: 'HCA_SANDBOX_GROUP_OPEN',
  /** How many tasks are kept warm. */
  sandboxWarm: 'HCA_SANDBOX_WARM',
  /** Version of hca that is deployed, and the name of the deployment. */
  version: 'HCA_VERSION',
  deployment: 'HCA_DEPLOYMENT',
  /** Token issuer and audience of the door; no issuer: IAM alone. */
  issuer: 'HCA_ISSUER',
  audience: 'HCA_AUDIENCE',
} as const;
