// One ACP frame in: requests, notifications and the client's answers to requests of ours. What a frame leads to is written to the stores;
// what a connection is shown is read from there by `pump`.

import { HcaFault, toFault } from '#shared/contracts/errors.ts';
import { fitted } from '#shared/protocols/acp/fit.ts';
import {
  type AnswerFrame,
  errorFrame,
  type ReadFrame,
  type RequestFrame,
  RPC,
  type RpcError,
  resultFrame,
} from '#shared/protocols/acp/frame.ts';
import { dispatch, toRpcError } from '../dispatch.ts';
import { spend } from '../limits.ts';
import { admit } from './admit.ts';
import { answered } from './answers.ts';
import { acpCode } from './codes.ts';
import { initialize, LATER, METHODS, NOTIFICATIONS } from './methods.ts';
import { Answered, connectionOf, type Peer } from './peer.ts';

/** Handles one frame. Never throws; an answer that is not sent here comes with `pump`, as the last thing of its turn. */
export const receive = async (read: ReadFrame, peer: Peer): Promise<void> => {
  if (read.kind === 'invalid') return peer.send(read.answer, null);
  if (read.kind === 'request') return onRequest(read.frame, peer);
  const admitted = await enter(peer, read.frame).catch(onlyFaults);
  if (admitted === undefined || !(await isReady(admitted))) return;
  await (read.kind === 'answer' ? onAnswer(read.frame, admitted) : onNotification(read.frame, admitted));
};

/** Answers a method of our own (`_hca/*`). Never throws. */
export const respond = async (frame: RequestFrame, peer: Peer): Promise<AnswerFrame> => {
  try {
    const { principal, door } = await admit(peer);
    return await dispatch(frame, principal, door);
  } catch (error) {
    return errorFrame(frame.id, toRpcError(toFault(error)));
  }
};

/**
 * Admits a frame and counts it. A token that is over is no reason to refuse a fresh one, and that something is to stop is heard however much was said before.
 */
const enter = async (peer: Peer, frame: object): Promise<Peer> => {
  const method = 'method' in frame ? frame.method : undefined;
  const admitted = method === 'authenticate' ? peer : await admit(peer);
  if (method !== 'session/cancel') await spend(peer.door, peer.principal, 'frame');
  return admitted;
};

const isReady = async (peer: Peer): Promise<boolean> => (await connectionOf(peer)) !== undefined;

/** What has no answer is not told what is wrong with it. */
const onlyFaults = (error: unknown): undefined => {
  if (!(error instanceof HcaFault)) throw error;
};

const onRequest = async (frame: RequestFrame, peer: Peer): Promise<void> => {
  if (frame.method.startsWith('_')) return peer.send(await respond(frame, peer), null);
  const { answer, after } = await answerTo(frame, peer);
  if (answer !== undefined) await peer.send(fitted(answer), sessionIn(frame.params));
  await after?.();
};

type Answer = { answer?: AnswerFrame; after?: () => Promise<void> };

const answerTo = async (frame: RequestFrame, peer: Peer): Promise<Answer> => {
  try {
    const result = await resultOf(frame, await enter(peer, frame));
    if (result === LATER) return {};
    if (!(result instanceof Answered)) return { answer: resultFrame(frame.id, result) };
    return { answer: resultFrame(frame.id, result.result), after: result.after };
  } catch (error) {
    return { answer: errorFrame(frame.id, acpError(error)) };
  }
};

const resultOf = async ({ id, method, params }: RequestFrame, peer: Peer): Promise<unknown> => {
  if (method === 'initialize') return initialize(params, peer, id);
  if (!(await isReady(peer))) throw new ProtocolProblem(RPC.bad_frame, 'the first request is initialize');
  const run = METHODS.get(method);
  if (run === undefined) throw new ProtocolProblem(RPC.unknown_method, `there is no method ${method}`);
  return run(params, peer, id);
};

/** A notification has no answer, not even when it is wrong. */
const onNotification = async (frame: { method: string; params?: unknown }, peer: Peer): Promise<void> => {
  await NOTIFICATIONS.get(frame.method)?.(frame.params, peer, null).catch(onlyFaults);
};

const onAnswer = async (frame: AnswerFrame, peer: Peer): Promise<void> => {
  if (typeof frame.id !== 'string') return;
  await answered(frame.id, 'error' in frame ? { error: frame.error.message } : { result: frame.result }, peer);
};

/** What is wrong with a frame by the protocol's own rules. */
class ProtocolProblem extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** A fault with the code that ACP has for it. */
export const acpError = (error: unknown): RpcError => {
  if (error instanceof ProtocolProblem) return { code: error.code, message: error.message };
  const fault = toFault(error);
  const message = fault.code === 'HcaInternal' ? 'something is wrong inside hca' : fault.message;
  return { ...toRpcError(fault), code: acpCode(fault), message };
};

const sessionIn = (params: unknown): string | null =>
  typeof params === 'object' && params !== null && 'sessionId' in params && typeof params.sessionId === 'string'
    ? params.sessionId
    : null;
