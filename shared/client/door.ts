// Typed client of the northbound door, for the command, the console and scenarios (architecture 5): questions over HTTP, watching over
// WebSocket, or by asking again where no WebSocket gets through. Uses nothing but fetch and WebSocket, so that it runs in Node and in a browser.
import { type MethodName, type ParamsIn, type ResultOf, readResult } from '#shared/contracts/acp.ts';
import type { JournalSlice } from '#shared/contracts/acp-task.ts';
import { isFault } from '#shared/contracts/errors.ts';
import { AnswerFrame } from '#shared/protocols/acp/frame.ts';
import { type DoorAddress, faultOf, refusedBy, unreachable, type WatchFrom } from './address.ts';
import { watchTask } from './watch.ts';

export interface Door {
  readonly address: DoorAddress;
  /** Asks; throws HcaFault as the door answered it, or HcaUnavailable when nobody answers. */
  call<M extends MethodName>(method: M, params: ParamsIn<M>): Promise<ResultOf<M>>;
  /** The journal from a cursor, then live, until the task is over; without a gap or a double. */
  watch(task: string, from: WatchFrom): AsyncGenerator<JournalSlice, void, undefined>;
}

/** Longest wait for an answer, and between two looks at a journal where no WebSocket gets through; in ms. */
export interface DoorOptions {
  patience?: number;
  pause?: number;
}

/** A request is answered from stores; only a snapshot of a huge folder takes long. */
const PATIENCE_MS = 120_000;
const PAUSE_MS = 1000;

/** Opens no connection: that happens with the first question. */
export const openDoor = (address: DoorAddress, options: DoorOptions = {}): Door => {
  const { patience = PATIENCE_MS, pause = PAUSE_MS } = options;
  const call: Door['call'] = async (method, params) =>
    readResult(method, await ask({ address, patience }, { method, params }));
  return {
    address,
    call,
    watch: (task, from) =>
      watchTask(address, from, { task, pause, page: (cursor) => call('_hca/task/journal', { task, cursor }) }),
  };
};

type Asked = { address: DoorAddress; patience: number };

/** Who asks for too much in a short time waits as long as the door says, some times; then it is a fault. */
const ask = async (asked: Asked, frame: { method: string; params: unknown }, tries = TRIES): Promise<unknown> => {
  try {
    return await askOnce(asked, frame);
  } catch (error) {
    const wait = waitAfter(error);
    if (wait === undefined || tries === 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, wait));
    return ask(asked, frame, tries - 1);
  }
};

/** Longer than this (ms) a person would rather be told. */
const WAIT_MS = 5000;
const TRIES = 5;

const waitAfter = (error: unknown): number | undefined => {
  if (!isFault(error) || !error.retryable || error.retry_after_ms === undefined) return undefined;
  return error.retry_after_ms <= WAIT_MS ? error.retry_after_ms : undefined;
};

const askOnce = async ({ address, patience }: Asked, frame: object): Promise<unknown> => {
  const { status, body } = await post({ address, patience }, JSON.stringify({ jsonrpc: '2.0', id: 1, ...frame }));
  const answer = AnswerFrame.safeParse(body);
  if (!answer.success) throw refusedBy(address, status) ?? unreachable(address, answer.error);
  if ('error' in answer.data) throw faultOf(answer.data.error);
  return answer.data.result;
};

const post = async ({ address, patience }: Asked, body: string): Promise<{ status: number; body: unknown }> => {
  const url = `${address.url}/rpc`;
  const proved = await address.proof.headers(url, body);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...proved },
      body,
      signal: AbortSignal.timeout(patience),
    });
    return { status: answer.status, body: parse(await answer.text()) };
  } catch (error) {
    throw unreachable(address, error);
  }
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
