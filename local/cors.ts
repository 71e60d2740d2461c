// What a browser asks before a page of another host may talk to this one. Only origins that the gate let pass get here.
import type { IncomingMessage, ServerResponse } from 'node:http';

const HEADERS = 'authorization, content-type, accept, acp-connection-id, acp-session-id';

/** Names the page's origin as welcome; true when the request was only the question whether it is. */
export const answerOrigin = ({ method, headers }: IncomingMessage, response: ServerResponse): boolean => {
  if (headers.origin === undefined) return false;
  response.setHeader('access-control-allow-origin', headers.origin);
  response.setHeader('access-control-expose-headers', 'acp-connection-id');
  response.setHeader('vary', 'origin');
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': HEADERS,
    'access-control-max-age': '600',
  });
  response.end();
  return true;
};
