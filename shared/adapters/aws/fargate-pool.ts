// Upkeep of sandbox tasks: what nobody uses, never became ready or answers no more is stopped, and the pool is kept at its number. No task of a session
// that was forgotten stays (architecture 9 Sandbox); a task that ends by mistake costs its session a start, since what it holds is kept elsewhere.

import { createHash } from 'node:crypto';
import { type ServerState, stateOf, wakeKey } from './agent-server-wake.ts';
import type { SandboxTask } from './fargate-task-view.ts';
import { type FargatePlace, listTasks, markSilent, POOL, runTask, stopTask, urlOf } from './fargate-tasks.ts';

/** What the pool is kept at. `now`: ms; rounds within one minute start the same tasks. */
export interface PoolUpkeep {
  warm: number;
  idle_seconds: number;
  now: number;
}

/** `secret`: with which the tasks wake. */
export interface PoolPlace extends FargatePlace {
  secret: () => Promise<string>;
}

/** Fetching the image takes minutes at most. */
const READY_MS = 900_000;

/** A server under load may miss a question; one that misses every question of so long is lost. */
const SILENT_MS = 300_000;

/** Between the end of a session and the next attempt on it. */
const RELEASED_S = 120;

const MINUTE_MS = 60_000;

/** `warm`: asleep in the pool, or on its way there; else why it is to be stopped; null for one at work. */
type Verdict = 'warm' | { stop: string } | null;

export async function keepPool(place: PoolPlace, asked: PoolUpkeep): Promise<{ stopped: number; started: number }> {
  const tasks = (await listTasks(place)).filter(({ stopped }) => stopped === null);
  const judged = await Promise.all(tasks.map(async (task) => ({ task, verdict: await verdictOf(place, task, asked) })));
  const warm = judged.flatMap(({ task, verdict }) => (verdict === 'warm' ? [task] : [])).sort(runningFirst);
  const over = warm.slice(asked.warm).map(({ arn }) => ({ arn, reason: 'the pool is to hold fewer' }));
  const ends = judged.flatMap(({ task: { arn }, verdict }) =>
    verdict !== null && verdict !== 'warm' ? [{ arn, reason: verdict.stop }] : [],
  );
  const stops = [...ends, ...over];
  for (const { arn, reason } of stops) await stopTask(place, arn, reason);
  const missing = Math.max(0, asked.warm - warm.length);
  await startWarm(place, missing, asked.now);
  return { stopped: stops.length, started: missing };
}

const runningFirst = (one: SandboxTask, two: SandboxTask): number => Number(two.running) - Number(one.running);

async function verdictOf(place: PoolPlace, task: SandboxTask, asked: PoolUpkeep): Promise<Verdict> {
  const { running, address, arn, silent } = task;
  if (!running || address === null) return startingVerdict(task, asked.now);
  const state = await stateOf(urlOf(place, address));
  if (state === null) return silentVerdict(place, task, asked.now);
  if (silent !== null) await markSilent(place, arn, null);
  return stateVerdict(place, task, { ...state, idle_seconds: asked.idle_seconds });
}

const startingVerdict = (task: SandboxTask, now: number): Verdict =>
  now - (task.created ?? now) < READY_MS ? waiting(task) : { stop: 'it did not become ready' };

/** One of the pool that has been woken and never became a session's is one of its own: whoever woke it has died. */
const stateVerdict = (
  place: PoolPlace,
  task: SandboxTask,
  { asleep, idle, idle_seconds }: ServerState & { idle_seconds: number },
): Verdict => {
  if (asleep && task.session === null) return isOld(place, task) ? { stop: 'there is a new definition' } : 'warm';
  const most = task.released ? Math.min(RELEASED_S, idle_seconds) : idle_seconds;
  return idle < most ? null : { stop: `${task.released ? 'its session has ended, ' : ''}idle for ${idle} s` };
};

const waiting = ({ session }: SandboxTask): Verdict => (session === null ? 'warm' : null);

/** The time of the first question without an answer is kept on the task: no function remembers anything. */
async function silentVerdict(place: PoolPlace, task: SandboxTask, now: number): Promise<Verdict> {
  const { arn, silent } = task;
  if (silent === null) await markSilent(place, arn, now);
  else if (now - silent >= SILENT_MS) return { stop: `no answer for ${Math.floor((now - silent) / 1000)} s` };
  return waiting(task);
}

/** A definition that is named without its revision is always the newest. */
const isOld = ({ definition }: PoolPlace, task: SandboxTask): boolean =>
  /:\d+$/.test(definition) && definition !== task.definition;

async function startWarm(place: PoolPlace, missing: number, now: number): Promise<void> {
  if (missing === 0) return;
  const secret = await place.secret();
  for (let nth = 0; nth < missing; nth += 1) {
    const round = `${place.definition} warm ${Math.floor(now / MINUTE_MS)} ${nth}`;
    const name = createHash('sha256').update(round).digest('hex');
    const wake_key = wakeKey(secret, name);
    await runTask(place, { name, wake_key, started_by: POOL, session: null, network: false });
  }
}
