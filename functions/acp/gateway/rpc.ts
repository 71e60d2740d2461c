// `POST /rpc`: one frame in, its answer out; and who may ask, for whoever wants to know. API Gateway gives thirty seconds and ten megabytes.
import { FAULTS, HcaFault, toFault } from '#shared/contracts/errors.ts';
import { errorFrame, readFrame } from '#shared/protocols/acp/frame.ts';
import { dispatch, toRpcError } from '../dispatch.ts';
import { checkSize } from '../limits.ts';
import { asksWho, describeDoor } from './describe.ts';
import { type GatewayAnswer, type HttpEvent, headerOf, textOf } from './events.ts';
import type { Gateway } from './house.ts';
import { whoAsks } from './who.ts';

/** Answers a request; never throws for what is wrong with it. */
export const answerRpc = async (event: HttpEvent, gateway: Gateway): Promise<GatewayAnswer> => {
  try {
    return await answer(event, gateway);
  } catch (error) {
    const fault = toFault(error);
    if (fault.code === 'HcaInternal') throw error;
    return reply(FAULTS[fault.code].http, errorFrame(null, toRpcError(fault)));
  }
};

const answer = async (event: HttpEvent, gateway: Gateway): Promise<GatewayAnswer> => {
  if (gateway.issuer !== null && asksWho(event)) return describeDoor(event, gateway.issuer);
  const { authorizer } = event.requestContext;
  const { principal } = whoAsks({ authorizer: authorizer?.lambda, signer: authorizer?.iam }, gateway.issuer !== null);
  if (!/^application\/json\b/.test(headerOf(event.headers, 'content-type') ?? '')) throw notJson();
  const text = textOf(event);
  checkSize(gateway.door, Buffer.byteLength(text));
  const read = readFrame(text);
  if (read.kind === 'invalid') return reply(400, read.answer);
  if (read.kind !== 'request') return { statusCode: 202 };
  const frame = await gateway.forTenant(principal.tenant, () => dispatch(read.frame, principal, gateway.door));
  return reply('error' in frame ? httpOf(frame.error.data?.code) : 200, frame);
};

const httpOf = (code = ''): number => Object.entries(FAULTS).find(([name]) => name === code)?.[1].http ?? 500;

const reply = (statusCode: number, frame: object): GatewayAnswer => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(frame),
});

const notJson = (): HcaFault =>
  new HcaFault('HcaBadInput', {
    message: 'the body is not JSON',
    field: 'Content-Type',
    remedy: 'send application/json',
  });
