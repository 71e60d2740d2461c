// Typed client of the northbound door, for the command, the console and scenarios (architecture 5): questions over HTTP, watching over
// WebSocket. Uses nothing but fetch and WebSocket, so that it runs in Node and in a browser.
import { type MethodName, type ParamsIn, type ResultOf, readResult } from '#shared/contracts/acp.ts';
import type { JournalSlice } from '#shared/contracts/acp-task.ts';
import { AnswerFrame } from '#shared/protocols/acp/frame.ts';
import { type DoorAddress, faultOf, unreachable, type WatchFrom } from './address.ts';
import { watchTask } from './watch.ts';

export interface Door {
  readonly address: DoorAddress;
  /** Asks; throws HcaFault as the door answered it, or HcaUnavailable when nobody answers. */
  call<M extends MethodName>(method: M, params: ParamsIn<M>): Promise<ResultOf<M>>;
  /** The journal from a cursor, then live, until the task is over; without a gap or a double. */
  watch(task: string, from: WatchFrom): AsyncGenerator<JournalSlice, void, undefined>;
}

/** A request is answered from stores; only a snapshot of a huge folder takes long. */
const PATIENCE_MS = 120_000;

/** Opens no connection: that happens with the first question. `patience`: longest wait for an answer, in ms. */
export const openDoor = (address: DoorAddress, patience = PATIENCE_MS): Door => ({
  address,
  call: async (method, params) => readResult(method, await ask({ address, patience }, method, params)),
  watch: (task, from) => watchTask(address, task, from),
});

type Asked = { address: DoorAddress; patience: number };

const ask = async ({ address, patience }: Asked, method: string, params: unknown): Promise<unknown> => {
  const frame = AnswerFrame.safeParse(await post({ address, patience }, { jsonrpc: '2.0', id: 1, method, params }));
  if (!frame.success) throw unreachable(address, frame.error);
  if ('error' in frame.data) throw faultOf(frame.data.error);
  return frame.data.result;
};

const post = async ({ address, patience }: Asked, frame: unknown): Promise<unknown> => {
  try {
    const answer = await fetch(`${address.url}/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${address.token}` },
      body: JSON.stringify(frame),
      signal: AbortSignal.timeout(patience),
    });
    return await answer.json();
  } catch (error) {
    throw unreachable(address, error);
  }
};
