// Our own methods, `_hca/*`: one frame in, at most one frame out, nothing kept in memory between two frames (architecture 2 and 9), so that
// any process can answer any frame. What belongs to a connection (a watch's cursor) is the host's.

import { isMethod, METHODS, type MethodName, readResult } from '#shared/contracts/acp.ts';
import type { Principal } from '#shared/contracts/acp-host.ts';
import { FAULTS, HcaFault, toFault } from '#shared/contracts/errors.ts';
import {
  type AnswerFrame,
  errorFrame,
  type RequestFrame,
  RPC,
  type RpcError,
  resultFrame,
} from '#shared/protocols/acp/frame.ts';
import { checkParams } from './check.ts';
import { spend } from './limits.ts';
import { HANDLERS } from './methods.ts';
import type { Call, DoorPorts } from './ports.ts';

/** Answers one request. Never throws: whatever goes wrong is an error frame with the fault's name, field and remedy. */
export const dispatch = async (frame: RequestFrame, principal: Principal, door: DoorPorts): Promise<AnswerFrame> => {
  const { id, method, params } = frame;
  if (!isMethod(method)) {
    return errorFrame(id, { code: RPC.unknown_method, message: `there is no method ${method}`, data: UNKNOWN });
  }
  try {
    return resultFrame(id, await run({ method, params }, principal, door));
  } catch (error) {
    return errorFrame(id, toRpcError(toFault(error)));
  }
};

/** A fault as it goes over the wire. */
export const toRpcError = (fault: HcaFault): RpcError => ({
  code: FAULTS[fault.code].rpc,
  message: fault.message,
  data: {
    code: fault.code,
    retryable: fault.retryable,
    ...optional('field', fault.field),
    ...optional('remedy', fault.remedy),
    ...optional('retry_after_ms', fault.retry_after_ms),
  },
});

const UNKNOWN = { code: 'HcaBadInput', field: 'method', remedy: '_hca/methods lists them', retryable: false };

const run = async <M extends MethodName>(
  asked: { method: M; params: unknown },
  principal: Principal,
  door: DoorPorts,
): Promise<unknown> => {
  allow(asked.method, principal);
  await spend(door, principal, 'frame');
  if (GOALS.has(asked.method)) await spend(door, principal, 'prompt');
  const call: Call<M> = { params: checkParams(asked.method, asked.params), principal, door };
  return readResult(asked.method, await HANDLERS[asked.method](call));
};

/** Methods that make the house read a whole folder. */
const GOALS: ReadonlySet<MethodName> = new Set(['_hca/task/submit', '_hca/task/plan', '_hca/task/retry']);

const allow = (method: MethodName, principal: Principal): void => {
  const { scope } = METHODS[method];
  if (principal.scopes.includes(scope)) return;
  throw new HcaFault('HcaDenied', {
    message: `${method} needs the scope ${scope}`,
    field: 'scope',
    remedy: `ask for a token with the scope ${scope}`,
  });
};

const optional = <K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> => {
  const pair: Partial<Record<K, V>> = {};
  if (value !== undefined) pair[key] = value;
  return pair;
};
