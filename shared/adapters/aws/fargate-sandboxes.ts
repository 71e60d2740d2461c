// An agent-server for each session, as a Fargate task of its own: one that is warm when there is one, else started; stopped when it is idle
// (architecture 9 Sandbox). What a session holds is in the content store, so a task may end at any time.
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { AgentServer, AgentServers } from '#shared/ports/agent-servers.ts';
import { idleSeconds, sessionKey, wake } from './agent-server-wake.ts';
import {
  describeTask,
  type FargatePlace,
  listTasks,
  POOL,
  runTask,
  type SandboxTask,
  stopTask,
  tagTask,
} from './fargate-tasks.ts';

/** `secret`: with which the tasks wake. `wait_ms`: how long a claim waits for a task that starts; then it is a fault that is tried again. */
export interface FargateSandboxesOptions extends FargatePlace {
  secret: () => Promise<string>;
  port?: number;
  wait_ms?: number;
  poll_ms?: number;
}

/** What the pool is kept at; `minute` names the round, so that two rounds at once start the same tasks. */
export interface PoolUpkeep {
  warm: number;
  idle_seconds: number;
  minute: number;
}

export interface FargateSandboxes extends AgentServers {
  /** Stops tasks that nobody has asked anything for a while, and fills up the pool. Answers with what it did. */
  upkeep(asked: PoolUpkeep): Promise<{ stopped: number; started: number }>;
}

/** As the image listens. */
const PORT = 8000;

/** A cold task takes one to two minutes, most of it for its image; a function of ours may take fifteen. */
const WAIT_MS = 180_000;
const POLL_MS = 2_000;

/** A task that ended at once is started again under a new name this often; what ends every time is no accident. */
const STARTS = 3;

export const fargateSandboxes = (options: FargateSandboxesOptions): FargateSandboxes => ({
  claim: async ({ id, network }) => {
    const session = sessionTag(id);
    const task = (await taskOf(options, session)) ?? (await fromPool(options, { session, network }));
    return awake(options, session, task ?? (await started(options, { session, network })));
  },
  find: async (id) => {
    const session = sessionTag(id);
    const task = await taskOf(options, session);
    return task?.address ? serverOf(options, session, { ...task, address: task.address }) : null;
  },
  release: async (id) => {
    const task = await taskOf(options, sessionTag(id));
    if (task !== undefined) await stopTask(options, task.arn, 'its session has ended');
  },
  all: async () => {
    const tasks = await listTasks(options);
    return Promise.all(
      tasks.flatMap((task) =>
        task.running && task.session !== null && task.address !== null
          ? [serverOf(options, task.session, { ...task, address: task.address })]
          : [],
      ),
    );
  },
  upkeep: (asked) => keepPool(options, asked),
});

/** A tag and a starter's name hold few characters, an id may hold any. */
const sessionTag = (id: string): string => createHash('sha256').update(id).digest('hex');

const startedBy = (session: string): string => `hca-${session}`;

/** The session's task, whether it was started for it or taken from the pool. */
async function taskOf(place: FargatePlace, session: string): Promise<SandboxTask | undefined> {
  const own = await listTasks(place, startedBy(session));
  const alive = own.find(({ stopped }) => stopped === null);
  if (alive !== undefined) return alive;
  return (await listTasks(place, POOL)).find((task) => task.session === session && task.stopped === null);
}

type Wanted = { session: string; network: boolean };

/** The first warm task that takes our key is ours; the tag is for finding it again, and is set again by whoever finds it woken with our key. */
async function fromPool(
  options: FargateSandboxesOptions,
  { session, network }: Wanted,
): Promise<SandboxTask | undefined> {
  const free = (await listTasks(options, POOL)).filter(
    (task) => task.session === null && task.running && task.network === network,
  );
  const secret = await options.secret();
  for (const task of free) {
    if (task.address === null) continue;
    const waking = await wake(urlOf(options, task.address), { secret, key: sessionKey(secret, session) });
    if (waking !== 'ours') continue;
    await tagTask(options, task.arn, session);
    return task;
  }
  return undefined;
}

/** Idempotent by the session: the same token gives the same task, so a new name is taken only when that one has ended. */
async function started(options: FargateSandboxesOptions, { session, network }: Wanted): Promise<SandboxTask> {
  for (let nth = 0; nth < STARTS; nth += 1) {
    const token = createHash('sha256').update(`${session} ${nth}`).digest('hex');
    const task = await runTask(options, { token, started_by: startedBy(session), session, network });
    if (task.stopped === null) return task;
  }
  throw unavailable('the tasks of this session end as soon as they are started', false);
}

/** Waits for the task's server and gives it its key. */
async function awake(options: FargateSandboxesOptions, session: string, first: SandboxTask): Promise<AgentServer> {
  const { wait_ms = WAIT_MS, poll_ms = POLL_MS } = options;
  const deadline = Date.now() + wait_ms;
  let task: SandboxTask | undefined = first;
  for (;;) {
    const server = await answering(options, session, task);
    if (server !== undefined) return server;
    if (Date.now() >= deadline) throw unavailable('its task is still starting', true);
    await pause(poll_ms);
    task = await describeTask(options, first.arn);
  }
}

/** Undefined while it starts. @throws HcaFault HcaUnavailable for a task that ended, or works for another session */
async function answering(
  options: FargateSandboxesOptions,
  session: string,
  task: SandboxTask | undefined,
): Promise<AgentServer | undefined> {
  if (task === undefined || task.stopped !== null)
    throw unavailable(`its task ended: ${task?.stopped ?? 'gone'}`, true);
  if (!task.running || task.address === null) return undefined;
  const secret = await options.secret();
  const waking = await wake(urlOf(options, task.address), { secret, key: sessionKey(secret, session) });
  if (waking === 'taken') throw unavailable('its task works for another session', true);
  return waking === 'ours' ? serverOf(options, session, { ...task, address: task.address }) : undefined;
}

async function keepPool(options: FargateSandboxesOptions, { warm, idle_seconds, minute }: PoolUpkeep) {
  const tasks = (await listTasks(options)).filter(({ stopped }) => stopped === null);
  const idle = await Promise.all(
    tasks.map(async ({ session, address, arn }) => {
      if (session === null || address === null) return false;
      const seconds = await idleSeconds(urlOf(options, address));
      if (seconds === null || seconds < idle_seconds) return false;
      await stopTask(options, arn, `idle for ${seconds} s`);
      return true;
    }),
  );
  const missing = Math.max(0, warm - tasks.filter(({ session }) => session === null).length);
  for (let nth = 0; nth < missing; nth += 1)
    await runTask(options, { token: `warm-${minute}-${nth}`, started_by: POOL, session: null, network: false });
  return { stopped: idle.filter(Boolean).length, started: missing };
}

/** Without a group for it, a session whose policy opens the network has none all the same, and the evidence says so. */
async function serverOf(
  options: FargateSandboxesOptions,
  session: string,
  task: { address: string; network: boolean },
): Promise<AgentServer> {
  const key = sessionKey(await options.secret(), session);
  return { url: urlOf(options, task.address), key, network: task.network && options.group_open !== undefined };
}

const urlOf = ({ port = PORT }: { port?: number }, address: string): string => `http://${address}:${port}`;

const unavailable = (why: string, retryable: boolean): HcaFault =>
  new HcaFault('HcaUnavailable', {
    message: `the sandbox of this session is not there yet: ${why}`,
    field: 'sandbox',
    remedy: retryable ? 'it is tried again' : "look at the stopped tasks of the sandbox's cluster for the reason",
    retryable,
  });
