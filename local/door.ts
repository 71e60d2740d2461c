// The northbound door as it stands in the embedded host: one person, one tenant, every scope; what only this host knows is added here.
import * as z from 'zod';
import type { DoorPorts } from '#functions/acp/step.ts';
import {
  type DeadLetterRow,
  type HealthCheck,
  HOME_OWNER,
  type Pong,
  type Principal,
  type Swept,
} from '#shared/contracts/acp-host.ts';
import type { PlanPreview } from '#shared/contracts/acp-task.ts';
import type { Entry } from '#shared/contracts/journal.ts';
import type { Ports } from '#shared/ports/index.ts';
import type { Secrets } from '#shared/ports/secrets.ts';
import type { WorkspaceStore } from '#shared/ports/workspaces.ts';

/** The tenant of everything in an embedded host, whatever an issuer calls it: a home holds one. */
export const TENANT = 'local';

/** A message that died, as the bus keeps it. */
export interface DeadLetter {
  id: string;
  method: string;
  body: string;
  cause: string;
  attempts: number;
  died_at: number;
}

/** What the door needs of an open house. */
export interface House {
  ports: Ports;
  store: WorkspaceStore;
  secrets: Secrets;
  dead: { list(): DeadLetter[]; redrive(id: string): number };
  preview: DoorPorts['preview'];
  follow(listener: (entry: Entry) => void): () => void;
  gc(keepDays: number): Promise<Swept>;
}

/** The host itself. */
export interface Host {
  identity: Omit<Pong, 'open'>;
  health(): Promise<HealthCheck[]>;
  stop(): void;
}

/** What serves a connection. `principal`: whoever has the token file of the home. */
export interface LocalDoor {
  principal: Principal;
  door: DoorPorts;
  follow(listener: (entry: Entry) => void): () => void;
}

/** Joins house and host. */
export const localDoor = (house: House, host: Host): LocalDoor => ({
  principal: { tenant: TENANT, subject: HOME_OWNER, scopes: ['read', 'submit', 'approve', 'admin'] },
  follow: house.follow,
  door: {
    ports: house.ports,
    store: house.store,
    git: { sandbox: house.ports.sandbox, secrets: house.secrets },
    preview: (tenant, asked): Promise<PlanPreview> => house.preview(tenant, asked),
    host: {
      identity: host.identity,
      ...(host.identity.home === undefined ? {} : { home: host.identity.home }),
      health: host.health,
      stop: host.stop,
      gc: (keepDays) => house.gc(keepDays),
      dead: {
        list: async () => house.dead.list().map(deadRow),
        redrive: async (id) => house.dead.redrive(id),
      },
    },
  },
});

const Address = z.object({ to: z.string(), task: z.string() });

const deadRow = (letter: DeadLetter): DeadLetterRow => ({
  ...Address.parse(JSON.parse(letter.body)),
  id: letter.id,
  method: letter.method,
  reason: letter.cause,
  attempts: letter.attempts,
  at: letter.died_at,
});
