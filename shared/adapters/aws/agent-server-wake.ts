// Waking an agent-server that was started asleep (`OH_DEFERRED_INIT`): it takes one key, once. So of two that reach for the same task of a pool exactly
// one gets it, without a table to agree in; and no key of a session is written down anywhere.
import { createHmac } from 'node:crypto';
import * as z from 'zod';

/** `ours`: it works with this key; `taken`: with another one; `away`: it does not answer yet. */
export type Waking = 'ours' | 'taken' | 'away';

/** `asleep`: nobody has given it a key. `idle`: seconds since anybody asked it to do anything, or since it started. */
export type ServerState = { asleep: boolean; idle: number };

/** A server of one's own network answers at once. */
const ANSWER_MS = 5_000;

/** The key of a session: who knows the pool's secret can tell it, who is in one session learns nothing of another's. */
export const sessionKey = (secret: string, session: string): string => keyOf(secret, `session ${session}`);

/** What the task of this name is woken with. It is in the task's environment, where its commands may read it: it opens nothing but that one sleeping server. */
export const wakeKey = (secret: string, name: string): string => keyOf(secret, `wake ${name}`);

const keyOf = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('base64url');

/** Gives the server its key, or finds that it has one. */
export async function wake(url: string, { wake_key, key }: { wake_key: string; key: string }): Promise<Waking> {
  const body = JSON.stringify({ session_api_keys: [key], secret_key: key });
  const headers = { 'content-type': 'application/json', 'X-Init-API-Key': wake_key };
  const woken = await statusOf(`${url}/api/init`, { method: 'POST', headers, body });
  if (woken === 200) return 'ours';
  const asked = await statusOf(`${url}/api/file/home`, { headers: { 'X-Session-API-Key': key } });
  if (asked === 200) return 'ours';
  return asked === 401 ? 'taken' : 'away';
}

/** Null when it does not answer. Both questions need no key. */
export async function stateOf(url: string): Promise<ServerState | null> {
  try {
    const [info, init] = await Promise.all([asked(`${url}/server_info`), asked(`${url}/api/init`)]);
    const { idle_time } = z.object({ idle_time: z.number() }).parse(await info.json());
    return { asleep: init.ok && Sleep.parse(await init.json()).state !== 'ready', idle: idle_time };
  } catch {
    return null;
  }
}

/** Said by a server that was started asleep; one that was not has no such route. */
const Sleep = z.object({ state: z.enum(['dormant', 'initializing', 'ready']) });

async function statusOf(url: string, init: RequestInit): Promise<number> {
  try {
    const response = await asked(url, init);
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}

const asked = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_MS), redirect: 'error' });
