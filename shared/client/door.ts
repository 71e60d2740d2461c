// Typed client of the northbound door, for the command, the console and scenarios (architecture 5): questions over HTTP, watching over
// WebSocket, or by asking again where no WebSocket gets through. Uses nothing but fetch and WebSocket, so that it runs in Node and in a browser.
import { type MethodName, type ParamsIn, type ResultOf, readResult } from '#shared/contracts/acp.ts';
import type { JournalSlice } from '#shared/contracts/acp-task.ts';
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
    readResult(method, await ask({ address, patience }, method, params));
  return {
    address,
    call,
    watch: (task, from) =>
      watchTask(address, from, { task, pause, page: (cursor) => call('_hca/task/journal', { task, cursor }) }),
  };
};

type Asked = { address: DoorAddress; patience: number };

const ask = async ({ address, patience }: Asked, method: string, params: unknown): Promise<unknown> => {
  const { status, body } = await post({ address, patience }, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const frame = AnswerFrame.safeParse(body);
  if (!frame.success) throw refusedBy(address, status) ?? unreachable(address, frame.error);
  if ('error' in frame.data) throw faultOf(frame.data.error);
  return frame.data.result;
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
