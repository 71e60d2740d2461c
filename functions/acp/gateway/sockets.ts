// The WebSocket routes: who connects is noted, a frame is handled like any other, and what it led to is sent before the invocation ends.
import * as z from 'zod';
import { HcaFault, toFault } from '#shared/contracts/errors.ts';
import type { OpenSocket } from '#shared/ports/watchers.ts';
import { errorFrame, type ReadFrame, readFrame } from '#shared/protocols/acp/frame.ts';
import { toRpcError } from '../dispatch.ts';
import { checkSize } from '../limits.ts';
import type { Peer } from '../session/peer.ts';
import { receive, respond } from '../session/receive.ts';
import { type GatewayAnswer, headerOf, type SocketEvent, textOf } from './events.ts';
import type { Gateway } from './house.ts';
import { sendOwed, sendWatched } from './owed.ts';
import { forget, orForget, peerOf } from './peer.ts';
import { wakeRoot } from './wake.ts';
import { whoAsks } from './who.ts';

/** Handles an event of a socket; what it is answered with is for API Gateway, frames go out by themselves. */
export const answerSocket = async (event: SocketEvent, gateway: Gateway): Promise<GatewayAnswer> => {
  const { eventType, connectionId } = event.requestContext;
  if (eventType === 'CONNECT') return connect(event, gateway);
  const socket = await gateway.watchers.find(connectionId);
  if (socket === undefined) return { statusCode: 410 };
  await gateway.forTenant(socket.principal.tenant, () =>
    eventType === 'DISCONNECT' ? leave(socket, gateway) : onFrame(event, socket, gateway),
  );
  return OK;
};

/** The subprotocol of our clients: one that is offered has to be chosen. */
const SUBPROTOCOL = 'hca.v1';

const OK: GatewayAnswer = { statusCode: 200 };

const connect = async (event: SocketEvent, gateway: Gateway): Promise<GatewayAnswer> => {
  const { connectionId, authorizer, identity: signer } = event.requestContext;
  const { principal, expires_at } = whoAsks({ authorizer, signer }, gateway.issuer !== null);
  await gateway.watchers.open({ id: connectionId, principal, expires_at, opened_at: gateway.door.ports.clock.now() });
  const offered = (headerOf(event.headers, 'sec-websocket-protocol') ?? '').split(',').map((word) => word.trim());
  return offered.includes(SUBPROTOCOL) ? { ...OK, headers: { 'Sec-WebSocket-Protocol': SUBPROTOCOL } } : OK;
};

/** Whoever is left may have to take over a question that the one who went was asked. */
const leave = async ({ id, principal: { tenant } }: OpenSocket, gateway: Gateway): Promise<void> => {
  const followed = await gateway.door.ports.sessions.attachments(tenant, id);
  await forget(gateway, tenant, id);
  for (const { session } of followed) await wakeRoot(tenant, session, gateway);
};

const onFrame = async (event: SocketEvent, socket: OpenSocket, gateway: Gateway): Promise<void> => {
  const peer = peerOf(gateway, socket);
  await orForget(gateway, peer, async () => {
    const read = sizedFrame(textOf(event), gateway);
    if (read.kind === 'request' && read.frame.method.startsWith('_')) return onOwn(read.frame, peer, gateway);
    await receive(read, peer);
    await sendOwed(gateway, peer);
  });
};

/** One that is too large is answered under its own id. */
const sizedFrame = (text: string, { door }: Gateway): ReadFrame => {
  const read = readFrame(text);
  try {
    checkSize(door, Buffer.byteLength(text));
    return read;
  } catch (error) {
    const id = read.kind === 'request' ? read.frame.id : null;
    return { kind: 'invalid', answer: errorFrame(id, toRpcError(toFault(error))) };
  }
};

const Watched = z.object({ task: z.string(), cursor: z.string() });

/** A method of ours; an answer that no socket carries is said to be so. */
const onOwn = async (
  frame: Extract<ReadFrame, { kind: 'request' }>['frame'],
  peer: Peer,
  gateway: Gateway,
): Promise<void> => {
  const answer = await respond(frame, peer);
  try {
    await peer.send(answer, null);
  } catch (error) {
    if (!(error instanceof HcaFault) || error.code !== 'HcaTooLarge') throw error;
    return peer.send(errorFrame(frame.id, toRpcError(error)), null);
  }
  if (frame.method === '_hca/task/watch' && 'result' in answer)
    await startWatch(Watched.parse(answer.result), peer, gateway);
};

const startWatch = async (watched: { task: string; cursor: string }, peer: Peer, gateway: Gateway): Promise<void> => {
  const { tenant } = peer.principal;
  await gateway.watchers.watch({ tenant, socket: peer.connection, ...watched });
  const watch = { tenant, socket: peer.connection, ...watched, version: 1, claimed_until: 0 };
  await sendWatched(gateway, peer, watch);
};
