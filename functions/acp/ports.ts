// What the northbound door is given: the house's ports, the planner's preview, and the host it stands in (architecture 9).

import type { DOORS } from '#shared/contracts/access.ts';
import type { MethodName, ParamsOf, ResultOf } from '#shared/contracts/acp.ts';
import type { DeadLetterRow, HealthCheck, Pong, Principal, Swept } from '#shared/contracts/acp-host.ts';
import type { PlanPreview } from '#shared/contracts/acp-task.ts';
import type { Criterion } from '#shared/contracts/criterion.ts';
import type { Limits, Paced } from '#shared/contracts/limits.ts';
import type { Workspace } from '#shared/contracts/offer.ts';
import type { Ports } from '#shared/ports/index.ts';
import type { Sandbox } from '#shared/ports/sandbox.ts';
import type { Secrets } from '#shared/ports/secrets.ts';
import type { WorkspaceStore } from '#shared/ports/workspaces.ts';

/** What only a host knows. */
export interface DoorHost {
  /** Version, process and instance as whoever asks may know them; `open` is counted by the door. */
  identity: Omit<Pong, 'open'>;
  /** Where it keeps everything on its machine, told or not: no work is done there. */
  home?: string;
  dead: { list(): Promise<DeadLetterRow[]>; redrive(id: string): Promise<number> };
  health(): Promise<HealthCheck[]>;
  gc(keepDays: number): Promise<Swept>;
  /** Ends the host after the answer was sent. */
  stop(): void;
}

/** What the planner would do with this; pure, starts nothing. */
export type Preview = (
  tenant: string,
  asked: { goal: string; criteria: Criterion[]; workspace: Workspace },
) => Promise<PlanPreview>;

/** The ports that a door works with, in whatever host. */
export type DoorHouse = Pick<Ports, keyof (typeof DOORS)['acp'] & keyof Ports>;

export interface DoorPorts {
  ports: DoorHouse;
  preview: Preview;
  host: DoorHost;
  /** Content handed over from other machines. */
  store: WorkspaceStore;
  /** Where content of git servers is fetched, and the credentials that are kept for them; without it none is. */
  git?: { sandbox: Pick<Sandbox, 'open' | 'run' | 'snapshot' | 'close'>; secrets: Secrets };
  /** What one person may ask for; no limits without it. */
  limits?: Limits;
  /** Counts one more; answers with the wait in ms, 0 for none. */
  throttle?(principal: Principal, what: Paced): Promise<number>;
  /** The tenant whose admins change what all tenants share; any tenant's where there is one alone. */
  keeper?: string;
  /** Folders of this machine below which work may be done; any without it. */
  folders?: readonly string[];
}

/** One request as a handler gets it: checked params, who asks, and the ports. */
export interface Call<M extends MethodName> {
  params: ParamsOf<M>;
  principal: Principal;
  door: DoorPorts;
}

/** A handler of one method; it throws HcaFault with the field and the remedy, or returns the method's result. */
export type Handler<M extends MethodName> = (call: Call<M>) => Promise<ResultOf<M>>;

export type Handlers = { [M in MethodName]: Handler<M> };
