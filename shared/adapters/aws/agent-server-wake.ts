// Waking an agent-server that was started asleep (`OH_DEFERRED_INIT`): it takes one key, once. So of two that reach for the same task of a pool exactly
// one gets it, without a table to agree in; and no key of a session is written down anywhere.
import { createHmac } from 'node:crypto';
import * as z from 'zod';

/** `ours`: it works with this key; `taken`: with another one; `away`: it does not answer yet. */
export type Waking = 'ours' | 'taken' | 'away';

/** A server of one's own network answers at once. */
const ANSWER_MS = 5_000;

/** The key of a session: who knows the pool's secret can tell it, who is in one session learns nothing of another's. */
export const sessionKey = (secret: string, session: string): string =>
  createHmac('sha256', secret).update(session).digest('base64url');

/** Gives the server its key, or finds that it has one. `secret`: what the servers of the pool were started with. */
export async function wake(url: string, { secret, key }: { secret: string; key: string }): Promise<Waking> {
  const body = JSON.stringify({ session_api_keys: [key], secret_key: key });
  const headers = { 'content-type': 'application/json', 'X-Init-API-Key': secret };
  const woken = await statusOf(`${url}/api/init`, { method: 'POST', headers, body });
  if (woken === 200) return 'ours';
  const asked = await statusOf(`${url}/api/file/home`, { headers: { 'X-Session-API-Key': key } });
  if (asked === 200) return 'ours';
  return asked === 401 ? 'taken' : 'away';
}

/** Seconds since anybody asked anything of it; null when it does not say. */
export async function idleSeconds(url: string): Promise<number | null> {
  try {
    const response = await fetch(`${url}/server_info`, { signal: AbortSignal.timeout(ANSWER_MS), redirect: 'error' });
    return z.object({ idle_time: z.number() }).parse(await response.json()).idle_time;
  } catch {
    return null;
  }
}

async function statusOf(url: string, init: RequestInit): Promise<number> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_MS), redirect: 'error' });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}
