// One event of API Gateway, whichever of its two kinds.
import { type GatewayAnswer, HttpEvent, SocketEvent } from './events.ts';
import type { Gateway } from './house.ts';
import { answerRpc } from './rpc.ts';
import { answerSocket } from './sockets.ts';

/** Answers it; frames to a WebSocket go out by themselves. @throws for what is no event of API Gateway */
export const answerGateway = (event: unknown, gateway: Gateway): Promise<GatewayAnswer> => {
  const socket = SocketEvent.safeParse(event);
  return socket.success ? answerSocket(socket.data, gateway) : answerRpc(HttpEvent.parse(event), gateway);
};
