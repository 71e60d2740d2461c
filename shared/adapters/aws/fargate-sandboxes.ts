// An agent-server for each session, as a Fargate task of its own: one that is warm when there is one, else started; stopped when it is idle
// (architecture 9 Sandbox). What a session holds is in the content store, so a task may end at any time.
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { AgentServer, AgentServers } from '#shared/ports/agent-servers.ts';
import { sessionKey, type Waking, wake, wakeKey } from './agent-server-wake.ts';
import type { SandboxTask } from './fargate-task-view.ts';
import {
  describeTask,
  type FargatePlace,
  listTasks,
  markReleased,
  POOL,
  runTask,
  tagTask,
  urlOf,
} from './fargate-tasks.ts';

/** `secret`: with which the tasks wake. `wait_ms`: how long a claim waits for a task that starts; then it is a fault that is tried again. */
export interface FargateSandboxesOptions extends FargatePlace {
  secret: () => Promise<string>;
  wait_ms?: number;
  poll_ms?: number;
}

export interface FargateSandboxesOptions extends FargatePlace {
  secret: () => Promise<string>;
  wait_ms?: number;
  poll_ms?: number;
}

/** A cold task takes one to two minutes, most of it for its image; a function of ours may take fifteen. */
const WAIT_MS = 180_000;
const POLL_MS = 2_000;

/** A task that ended by itself is started again under a new name this often; what ends every time is no accident. */
const STARTS = 3;

/** Tasks that a session may have had one after the other within the day that ECS remembers names for. */
const CHAIN = 100;

/** ECS may not yet know by its name a task that it has just started. */
const FRESH_MS = 60_000;

export const fargateSandboxes = (options: FargateSandboxesOptions): AgentServers => ({
  claim: async ({ id, network }) => {
    const session = sessionTag(id);
    const known = await taskOf(options, session);
    if (known?.released) await markReleased(options, known.arn, false);
    const task = known ?? (await fromPool(options, { session, network }));
    return awake(options, session, task ?? (await started(options, { session, network })));
  },
  find: async (id) => {
    const session = sessionTag(id);
    const task = await taskOf(options, session);
    return task?.address && !task.released ? serverOf(options, session, { address: task.address }) : null;
  },
  // A session is closed and opened again with each attempt: its task is kept for a while, and stopped with the pool's upkeep.
  release: async (id) => {
    const task = await taskOf(options, sessionTag(id));
    if (task !== undefined) await markReleased(options, task.arn, true);
  },
  all: async () => {
    const tasks = await listTasks(options);
    return Promise.all(
      tasks.flatMap((task) =>
        task.running && !task.released && task.session !== null && task.address !== null
          ? [serverOf(options, task.session, { address: task.address })]
          : [],
      ),
    );
  },
});

/** A tag and a starter's name hold few characters, an id may hold any. */
const sessionTag = (id: string): string => hash(id);

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

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
  for (const task of free) {
    if ((await woken(options, session, task)) !== 'ours') continue;
    await tagTask(options, task.arn, session);
    return task;
  }
  return undefined;
}

/**
 * Idempotent by the session: the same name gives the same task, so a new one is taken only when that one has ended, and is made of it. However often
 * a session was idle, it gets another task; one that breaks each time does not.
 */
async function started(options: FargateSandboxesOptions, wanted: Wanted): Promise<SandboxTask> {
  const broken: string[] = [];
  let before = '';
  for (let nth = 0; nth < CHAIN && broken.length < STARTS; nth += 1) {
    const { ran, task } = await nextOf(options, wanted, before);
    if (task?.stopped === null) return task;
    before = ran.arn;
    if (task?.broken === true) broken.push(task.stopped ?? '');
  }
  throw unavailable(`the tasks of this session end as soon as they are started (${broken.join('; ')})`, false);
}

/** The session's task after another one: as it was started, now or before, and as it is now. */
async function nextOf(options: FargateSandboxesOptions, { session, network }: Wanted, before: string) {
  const name = hash(`${options.definition} ${session} ${before}`);
  const wake_key = wakeKey(await options.secret(), name);
  const ran = await runTask(options, { name, wake_key, started_by: startedBy(session), session, network });
  const task = await describeTask(options, ran.arn);
  return { ran, task: task ?? (isFresh(ran) ? ran : undefined) };
}

/** What is not fresh and not known has ended long ago. */
const isFresh = ({ created }: SandboxTask): boolean => created === null || Date.now() - created < FRESH_MS;

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
  const waking = await woken(options, session, task);
  if (waking === 'taken') throw unavailable('its task works for another session', true);
  const { address } = task;
  return waking === 'ours' && address !== null ? serverOf(options, session, { address }) : undefined;
}

async function woken(options: FargateSandboxesOptions, session: string, task: SandboxTask): Promise<Waking> {
  if (!task.running || task.address === null) return 'away';
  const secret = await options.secret();
  const keys = { wake_key: wakeKey(secret, task.name), key: sessionKey(secret, session) };
  return wake(urlOf(options, task.address), keys);
}

/**
 * Every group lets HTTPS out, since a task needs it for its image, and Fargate has no network name spaces that a command could be alone in: so what
 * runs in a task counts as open, and the evidence of a session whose policy closes the network says so.
 */
async function serverOf(
  options: FargateSandboxesOptions,
  session: string,
  { address }: { address: string },
): Promise<AgentServer> {
  return { url: urlOf(options, address), key: sessionKey(await options.secret(), session), network: true };
}

const unavailable = (why: string, retryable: boolean): HcaFault =>
  new HcaFault('HcaUnavailable', {
    message: `the sandbox of this session is not there yet: ${why}`,
    field: 'sandbox',
    remedy: retryable ? 'it is tried again' : "look at the stopped tasks of the sandbox's cluster for the reason",
    retryable,
  });
