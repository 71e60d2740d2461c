// Sending to the WebSockets that API Gateway holds open for us.
import {
  type ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Connections } from '#shared/ports/watchers.ts';
import { awsCall, isNamed } from './aws-call.ts';

/** What API Gateway takes at once, in bytes. */
const MOST_BYTES = 128 * 1024;

export const apigatewayConnections = (client: ApiGatewayManagementApiClient): Connections => ({
  push: async (socket, text) => {
    const Data = Buffer.from(text);
    if (Data.byteLength > MOST_BYTES) throw tooLarge(Data.byteLength);
    const command = new PostToConnectionCommand({ ConnectionId: socket, Data });
    return orGone(() => awsCall(`connection ${socket}`, () => client.send(command)));
  },
  end: async (socket) => {
    const command = new DeleteConnectionCommand({ ConnectionId: socket });
    await orGone(() => awsCall(`connection ${socket}`, () => client.send(command)));
  },
});

async function orGone(call: () => Promise<unknown>): Promise<'sent' | 'gone'> {
  try {
    await call();
    return 'sent';
  } catch (caught) {
    if (isNamed(caught, 'GoneException')) return 'gone';
    throw caught;
  }
}

const tooLarge = (bytes: number): HcaFault =>
  new HcaFault('HcaTooLarge', {
    message: `the answer has ${bytes} bytes, a WebSocket of this host carries ${MOST_BYTES}`,
    field: 'frame',
    remedy: 'ask for it by POST to /rpc',
  });
