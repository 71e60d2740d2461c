// The northbound door as it stands in the cloud: what only this host knows is said here (architecture 9).
import type { DeadLetterRow, HealthCheck, Principal } from '#shared/contracts/acp-host.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Identity } from '#shared/contracts/identity.ts';
import { Limits, type Paced } from '#shared/contracts/limits.ts';
import { type Rate, rateOf } from '#shared/domain/rate-limit.ts';
import type { Connections, Watchers } from '#shared/ports/watchers.ts';
import type { WorkspaceStore } from '#shared/ports/workspaces.ts';
import type { DoorHouse, DoorPorts, Preview } from '../ports.ts';
import type { Issuing } from './describe.ts';
import { TENANT } from './who.ts';

/** What a gateway is given beside the ports of the door. */
export interface GatewayPorts {
  workspaces: WorkspaceStore;
  watchers: Watchers;
  connections: Connections;
  /** Left out where nobody asks: by what pushes. */
  letters?: { list(): Promise<DeadLetterRow[]>; redrive(which: string): Promise<number> };
  /** Counts one more of somebody's at a rate; the wait in ms, 0 for none. Left out where nobody asks. */
  throttle?(principal: Principal, what: Paced, rate: Rate): Promise<number>;
}

/** Everything that one invocation works with. */
export interface Gateway {
  door: DoorPorts;
  watchers: Watchers;
  connections: Connections;
  /** Whose tokens are asked for; null: API Gateway has checked a signature. */
  issuer: Issuing | null;
  /** Checks a fresh token that an open connection shows; left out where no tokens are asked for. */
  verify?: Verify;
  /** Runs work for a tenant: what is stored under its hash is looked for there. */
  forTenant<T>(tenant: string, work: () => Promise<T>): Promise<T>;
}

/** Answers who a token speaks for. @throws HcaFault */
type Verify = (token: string) => Promise<Identity>;

/** Facts about this deployment. */
export interface Deployment {
  version: string;
  instance: string;
  issuer: Issuing | null;
}

/** Version of the published text this host implements. */
const SPEC = '0.1.0';

/** Puts it together, once for a process. It fetches no repository: to start a sandbox and fetch a repository takes longer than API Gateway waits. */
export const gatewayOf = (
  ports: DoorHouse & GatewayPorts,
  parts: Pick<Gateway, 'forTenant'> & { preview: Preview; deployment: Deployment; verify?: Verify },
): Gateway => {
  const { version, instance, issuer } = parts.deployment;
  const limits = Limits.parse({});
  return {
    watchers: ports.watchers,
    connections: ports.connections,
    issuer,
    forTenant: parts.forTenant,
    ...(parts.verify === undefined ? {} : { verify: parts.verify }),
    door: {
      ports,
      preview: parts.preview,
      store: ports.workspaces,
      limits,
      ...paced(ports, limits),
      keeper: TENANT,
      host: {
        identity: { version, spec: SPEC, host: 'cloud', instance, pid: 0 },
        dead: ports.letters ?? NONE,
        health: () => examine(ports),
        gc: () =>
          Promise.reject(notHere('gc', 'what expires here goes by itself; the rest is kept until its stack goes')),
        stop: () => {
          throw notHere('down', 'npm run destroy -- --env <name> takes a deployment down');
        },
      },
    },
  };
};

const paced = ({ throttle }: GatewayPorts, limits: Limits): Pick<DoorPorts, 'throttle'> =>
  throttle === undefined ? {} : { throttle: (principal, what) => throttle(principal, what, rateOf(limits, what)) };

const NONE = { list: async () => [], redrive: async () => 0 };

const notHere = (method: string, remedy: string): HcaFault =>
  new HcaFault('HcaRefused', { message: `a cloud host has no ${method}`, field: 'method', remedy });

/** One read of each kind of store says whether it answers. */
const examine = async ({ tasks, artifacts, profiles }: DoorHouse): Promise<HealthCheck[]> => [
  await check('tables', 'the tables answer', () => tasks.roots('main', { limit: 1 })),
  await check('bucket', 'the bucket answers', () => artifacts.find('main', '0/0/nothing')),
  await check('harnesses', 'harness packages are there', async () => {
    if ((await profiles.names()).length === 0)
      throw new Error('no harness package is there: npm run deploy brings them');
  }),
];

const check = async (name: string, detail: string, look: () => Promise<unknown>): Promise<HealthCheck> => {
  try {
    await look();
    return { name, status: 'ok', detail, remedy: '' };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { name, status: 'fail', detail: why.slice(0, 300), remedy: 'look at the dashboard and docs/runbook.md' };
  }
};
