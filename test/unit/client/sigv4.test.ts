// Signatures are those that AWS's own library makes, for a POST and for the address of a WebSocket.
import { ApiGatewayManagementApiClient } from '@aws-sdk/client-apigatewaymanagementapi';
import { expect, it } from 'vitest';
import { type AwsCredentials, presign, signedHeaders } from '#shared/client/sigv4.ts';

const NOW = new Date('2026-11-30T12:34:56.789Z');
const SCOPE = { region: 'eu-central-1', service: 'execute-api' };
const LONG_LIVED: AwsCredentials = {
  access_key: 'AKIDEXAMPLE',
  secret_key: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  session_token: null,
};
const TEMPORARY: AwsCredentials = { ...LONG_LIVED, session_token: 'FwoGZXIvYXdz//abc+/=def' };

/** The signer of a client whose service is called as our door's is. */
const peer = ({ access_key, secret_key, session_token }: AwsCredentials) =>
  new ApiGatewayManagementApiClient({
    region: SCOPE.region,
    credentials: {
      accessKeyId: access_key,
      secretAccessKey: secret_key,
      ...(session_token === null ? {} : { sessionToken: session_token }),
    },
  }).config.signer() as unknown as Promise<Signer>;

interface Signer {
  sign(request: never, options: object): Promise<{ headers: Record<string, string> }>;
  presign(request: never, options: object): Promise<{ query: Record<string, string> }>;
}

const requestOf = (url: string, rest: object) => {
  const { hostname, host, pathname, searchParams, protocol } = new URL(url);
  return {
    protocol,
    hostname,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: { host },
    ...rest,
  } as never;
};

it.each([
  ['https://abc.execute-api.eu-central-1.amazonaws.com/rpc', LONG_LIVED],
  ['https://abc.execute-api.eu-central-1.amazonaws.com/prod/rpc', TEMPORARY],
  ['https://abc.execute-api.eu-central-1.amazonaws.com/a%20b/r(p)c', LONG_LIVED],
  ['https://abc.execute-api.eu-central-1.amazonaws.com/rpc?b=2&a=1&c=x%20y*', TEMPORARY],
  ['http://127.0.0.1:4566/rpc', LONG_LIVED],
])('a POST to %s', async (url, credentials) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: '_hca/ping', params: { text: 'ä€' } });
  const ours = await signedHeaders({ url, body, scope: SCOPE, now: NOW }, credentials);
  const { host } = new URL(url);
  const headers = { host, 'content-type': 'application/json' };
  const theirs = await (await peer(credentials)).sign(requestOf(url, { method: 'POST', headers, body }), {
    signingDate: NOW,
    unsignableHeaders: new Set(['x-amz-content-sha256']),
  });
  const { authorization, 'x-amz-date': date } = theirs.headers;
  expect(ours).toMatchObject({ authorization, 'x-amz-date': date });
});

it.each([
  ['wss://xyz.execute-api.eu-central-1.amazonaws.com/prod', LONG_LIVED],
  ['wss://xyz.execute-api.eu-central-1.amazonaws.com/prod', TEMPORARY],
  ['wss://xyz.execute-api.eu-central-1.amazonaws.com/prod?stage=a%20b', LONG_LIVED],
])('the address %s of a WebSocket', async (url, credentials) => {
  const ours = new URL(await presign({ url, scope: SCOPE, now: NOW }, credentials));
  const theirs = await (await peer(credentials)).presign(requestOf(url, { method: 'GET' }), {
    signingDate: NOW,
    expiresIn: 300,
  });
  expect(Object.fromEntries(ours.searchParams)).toEqual(theirs.query);
  expect(`${ours.protocol}//${ours.host}${ours.pathname}`).toBe(url.split('?')[0]);
});
