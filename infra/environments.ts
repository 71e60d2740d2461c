// What differs between deployments, one typed record each; nothing else may ask which environment it is in (requirements section 9).
import type { FunctionName } from '#shared/contracts/access.ts';

/** `iam`: requests are signed with AWS credentials, one tenant. `jwt`: bearer tokens of an issuer, whose claim names the tenant. */
export type Auth = { kind: 'iam' } | { kind: 'jwt'; issuer: string; audience: string };

/** Where tools run: tasks of ours in a network of their own, started when they are needed and `warm` of them before; or an agent-server that is there. */
export type SandboxPlace =
  | { kind: 'fargate'; cpu: 512 | 1024 | 2048; memory_mb: number; warm: number }
  | { kind: 'endpoint'; url: string; secret: string };

/** An environment. */
export interface Environment {
  /** Part of every stack's and resource's name: 1 to 12 of a-z and 0-9. */
  name: string;
  /** What happens to tables and bucket with their stack: `keep` in production, else they go with their content. */
  removal: 'keep' | 'destroy';
  /** Point-in-time recovery of the tables. */
  recovery: boolean;
  /** Days: logs, archive of the bus, versions of objects that were replaced or deleted. */
  retention: { logs: 7 | 30 | 365; archive: number; versions: number };
  alarms: boolean;
  /** Whom the alarms are sent to; null: they are shown and sent to nobody. */
  alarm_address: string | null;
  /** Requests a second and at once, at the door. */
  quotas: { rate: number; burst: number };
  /** Most invocations at once of a function, where it is limited; empty shares the account's. */
  concurrency: Partial<Record<FunctionName, number>>;
  /** Own name of the door, with a certificate in the same region that is for `<name>` and `ws.<name>`. */
  domain: { name: string; certificate: string } | null;
  auth: Auth;
  sandbox: SandboxPlace;
  /** An existing network for the sandbox; null makes one of its own. */
  vpc: string | null;
  /** ARN of a policy that bounds every role made here. */
  permission_boundary: string | null;
  /** What Step Functions logs of an execution; content never passes through a machine. */
  machine_log: 'ALL' | 'ERROR';
  /** Whose workflows may deploy: a GitHub repository (`owner/name`) and what is checked out there (`refs/heads/main`); null: no such role. */
  deployer: { repository: string; ref: string } | null;
}

const SMALL = {
  removal: 'destroy',
  recovery: false,
  retention: { logs: 7, archive: 7, versions: 1 },
  alarms: true,
  alarm_address: null,
  quotas: { rate: 20, burst: 40 },
  concurrency: {},
  domain: null,
  auth: { kind: 'iam' },
  sandbox: { kind: 'fargate', cpu: 1024, memory_mb: 4096, warm: 0 },
  vpc: null,
  permission_boundary: null,
  machine_log: 'ALL',
  deployer: null,
} as const satisfies Omit<Environment, 'name'>;

/** Messages cannot run away with an account: what the bus calls is limited (pitfall 45). */
const LIMITED = { answer: 50, route: 100, learn: 20, sweep: 20, stream: 50 } as const;

/** Every environment that can be deployed. */
export const ENVIRONMENTS: readonly Environment[] = [
  { ...SMALL, name: 'dev' },
  {
    ...SMALL,
    name: 'staging',
    recovery: true,
    retention: { logs: 30, archive: 30, versions: 7 },
    quotas: { rate: 100, burst: 200 },
  },
  {
    ...SMALL,
    name: 'prod',
    removal: 'keep',
    recovery: true,
    retention: { logs: 365, archive: 90, versions: 30 },
    quotas: { rate: 500, burst: 1000 },
    concurrency: LIMITED,
    sandbox: { kind: 'fargate', cpu: 1024, memory_mb: 4096, warm: 1 },
    machine_log: 'ERROR',
  },
];

/** @throws Error that lists the names, for an unknown one */
export const environmentNamed = (name: string): Environment => {
  const found = ENVIRONMENTS.find((environment) => environment.name === name);
  if (found !== undefined) return found;
  const names = ENVIRONMENTS.map((environment) => environment.name).join(', ');
  throw new Error(`There is no environment "${name}"; give one of: ${names} (infra/environments.ts).`);
};
