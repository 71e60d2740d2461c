// What the cloud host stores things in: tables with their keys, and the names a function finds them by (architecture section 8). Plain
// data, read by the adapters, by the stack that makes the tables and by the tests that make them elsewhere.

/** A sparse index: only items that carry its partition attribute are in it. Attributes are strings. */
export interface TableIndex {
  name: string;
  partition: string;
  sort: string;
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
 * The tables. Every `pk` begins with the tenant:
 * holons `tenant`; tasks and journal `tenant#root`; waits (with marks and inbox) `tenant#task`; ledger `tenant#task`; lessons `tenant#…`; sessions `tenant#…`; profiles `tenant`.
 */
export const TABLES = {
  holons: plain,
  tasks: {
    ...plain,
    indexes: [
      { name: 'open', partition: 'open_of', sort: 'sk' },
      { name: 'roots', partition: 'roots_of', sort: 'sk' },
      { name: 'open-roots', partition: 'open_roots_of', sort: 'sk' },
      { name: 'leases', partition: 'lease_shard', sort: 'lease_until' },
    ],
  },
  waits: { ...plain, expires: true },
  ledger: plain,
  journal: { ...plain, stream: true },
  lessons: { ...plain, indexes: [{ name: 'idle', partition: 'idle_of', sort: 'moved_at' }] },
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
  machine: (name: 'task' | 'review'): string => `HCA_MACHINE_${name.toUpperCase()}`,
  /** URL of the sandbox (an agent-server), and the name of the secret with its key. */
  sandbox: 'HCA_SANDBOX',
  sandboxSecret: 'HCA_SANDBOX_SECRET',
  /** Token issuer and audience of the door; no issuer: IAM alone. */
  issuer: 'HCA_ISSUER',
  audience: 'HCA_AUDIENCE',
} as const;
