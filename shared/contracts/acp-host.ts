// What the northbound door says about holons and the host: params and results beside `_hca/task/*` (the table is acp.ts).
import * as z from 'zod';
import { HolonCard } from './holon.ts';

/** Who asks: the tenant is part of every key, the scopes say what may be asked (architecture 11). */
export const Scope = z.enum(['read', 'submit', 'approve', 'admin']);
export type Scope = z.infer<typeof Scope>;

/** The subject of whoever shows the token file of a home, and of root tasks from before tasks had owners. */
export const HOME_OWNER = 'owner';

export const Principal = z.object({ tenant: z.string(), subject: z.string(), scopes: z.array(Scope) });
export type Principal = z.infer<typeof Principal>;

/** A row: what goes in and out, the scope it needs, a sentence for people, and the command that uses it. */
export interface MethodRow {
  params: z.ZodType;
  result: z.ZodType;
  scope: Scope;
  summary: string;
  command: string;
}

/** Answer to a ping. `instance` differs between two starts of a host; `open` counts root tasks that are not over. */
export const Pong = z.object({
  version: z.string(),
  spec: z.string(),
  host: z.string(),
  instance: z.string(),
  pid: z.int(),
  /** Told to its owner alone, at the home's own front. */
  home: z.string().optional(),
  open: z.int().min(0),
  /** Where others reach it, if they do. */
  listens: z.string().optional(),
});
export type Pong = z.infer<typeof Pong>;

export const MethodLine = z.object({
  method: z.string(),
  scope: Scope,
  summary: z.string(),
  command: z.string(),
  params: z.record(z.string(), z.unknown()),
  result: z.record(z.string(), z.unknown()),
});
export type MethodLine = z.infer<typeof MethodLine>;

/** One check of `hca doctor`; anything but `ok` says what to do. */
export const HealthCheck = z.object({
  name: z.string(),
  status: z.enum(['ok', 'warn', 'fail']),
  detail: z.string(),
  remedy: z.string(),
});
export type HealthCheck = z.infer<typeof HealthCheck>;

/** What `gc` took away: `sessions` are those of the sandbox, `conversations` those of editors. `bytes`: what the disk got back from artifacts and snapshots; sessions and freed database pages are not counted. */
export const Swept = z.object({
  tasks: z.int().min(0),
  artifacts: z.int().min(0),
  sessions: z.int().min(0),
  conversations: z.int().min(0),
  bytes: z.int().min(0),
});
export type Swept = z.infer<typeof Swept>;

/** A message that could not be delivered. */
export const DeadLetterRow = z.object({
  id: z.string(),
  method: z.string(),
  to: z.string(),
  task: z.string(),
  reason: z.string(),
  attempts: z.int(),
  at: z.int(),
});
export type DeadLetterRow = z.infer<typeof DeadLetterRow>;

/** What a holon is doing now, derived from its open tasks (L1-ST-02, L2-FSM-02). */
export const HolonStatus = z.object({
  holon: z.string(),
  state: HolonCard.shape.state,
  activity: z.string(),
  capacity: z.int(),
  open: z.int(),
  doing: z.array(z.object({ record: z.string(), root: z.string(), state: z.string(), iteration: z.int() })),
});
export type HolonStatus = z.infer<typeof HolonStatus>;
