// Where a request carries its token: a header, or (a browser's WebSocket cannot set one) a subprotocol; never the address.

/** The subprotocol a WebSocket client names, and what stands before its token in another one. */
export const SUBPROTOCOL = 'hca.v1';
const TOKEN_PREFIX = 'hca.bearer.';

/** The token in a request's headers, whose names are in lower case. */
export const tokenIn = (headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined =>
  bearerIn(headers.authorization) ?? subprotocolIn(headers['sec-websocket-protocol']);

type Value = string | string[] | undefined;

const bearerIn = (value: Value): string | undefined =>
  typeof value === 'string' ? /^Bearer ([\x21-\x7e]+)$/i.exec(value)?.[1] : undefined;

const subprotocolIn = (value: Value): string | undefined =>
  (typeof value === 'string' ? value : '')
    .split(',')
    .map((word) => word.trim())
    .find((word) => word.startsWith(TOKEN_PREFIX))
    ?.slice(TOKEN_PREFIX.length);
