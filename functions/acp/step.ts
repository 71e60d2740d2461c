// The northbound door: what a host calls, whatever carries the frames. Nothing is kept in memory between two of them (architecture 2 and 9).
export { dispatch, toRpcError } from './dispatch.ts';
export { answerGateway } from './gateway/answer.ts';
export { type Gateway, gatewayOf } from './gateway/house.ts';
export { wakeDue, wakeRoot } from './gateway/wake.ts';
export { checkSize } from './limits.ts';
export type { DoorHost, DoorPorts } from './ports.ts';
export { admit, renew } from './session/admit.ts';
export type { Peer } from './session/peer.ts';
export { pump, type Wake } from './session/pump.ts';
export { receive, respond } from './session/receive.ts';
export { resendSubmitted } from './submit.ts';
