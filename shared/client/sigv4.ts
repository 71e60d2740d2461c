// AWS Signature Version 4, as much of it as our door needs: a POST of JSON, and the address of a WebSocket. With WebCrypto, so that it runs in Node and
// in a browser. Source: "Signing AWS API requests" in the IAM user guide.

export interface AwsCredentials {
  access_key: string;
  secret_key: string;
  /** Of temporary credentials. */
  session_token: string | null;
}

/** Whom a signature is for. */
export interface SigningScope {
  region: string;
  service: string;
}

interface ToSign {
  url: string;
  scope: SigningScope;
  now: Date;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
/** A signed address is used at once; the shortest time that forgives clocks. */
const PRESIGNED_S = 300;

/** Headers of a signed POST of JSON. */
export const signedHeaders = async (
  { url, body, scope, now }: ToSign & { body: string },
  credentials: AwsCredentials,
): Promise<Record<string, string>> => {
  const { host, pathname, searchParams } = new URL(url);
  const time = timeOf(now);
  const { session_token } = credentials;
  const token: Record<string, string> = session_token === null ? {} : { 'x-amz-security-token': session_token };
  const signed: Record<string, string> = { 'content-type': 'application/json', host, 'x-amz-date': time, ...token };
  const request = { method: 'POST', pathname, query: queryOf(searchParams), headers: signed, hash: await sha256(body) };
  const { signature, credential } = await sign(request, { time, scope }, credentials);
  const names = Object.keys(signed).join(';');
  return {
    ...signed,
    authorization: `${ALGORITHM} Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
};

/** The address of a WebSocket with its signature in the query. */
export const presign = async ({ url, scope, now }: ToSign, credentials: AwsCredentials): Promise<string> => {
  const target = new URL(url);
  const time = timeOf(now);
  const parameters: Record<string, string> = {
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${credentials.access_key}/${scopeOf(time, scope)}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(PRESIGNED_S),
    'X-Amz-SignedHeaders': 'host',
    ...(credentials.session_token === null ? {} : { 'X-Amz-Security-Token': credentials.session_token }),
  };
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  const query = queryOf(target.searchParams);
  const { host, pathname, protocol } = target;
  const request = { method: 'GET', pathname, query, headers: { host }, hash: await sha256('') };
  const { signature } = await sign(request, { time, scope }, credentials);
  return `${protocol}//${host}${pathname}?${query}&X-Amz-Signature=${signature}`;
};

interface Canonical {
  method: string;
  pathname: string;
  query: string;
  /** In the order of their names, which are in lower case. */
  headers: Record<string, string>;
  hash: string;
}

const sign = async (
  request: Canonical,
  { time, scope }: { time: string; scope: SigningScope },
  credentials: AwsCredentials,
): Promise<{ signature: string; credential: string }> => {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}:${value.trim()}\n`);
  const names = Object.keys(request.headers).join(';');
  const path = request.pathname.split('/').map(escaped).join('/');
  const { method, query, hash } = request;
  const canonical = [method, path, query, headers.join(''), names, hash].join('\n');
  const text = [ALGORITHM, time, scopeOf(time, scope), await sha256(canonical)].join('\n');
  let key: Uint8Array<ArrayBuffer> = bytesOf(`AWS4${credentials.secret_key}`);
  for (const part of scopeOf(time, scope).split('/')) key = await hmac(key, part);
  return { signature: hex(await hmac(key, text)), credential: `${credentials.access_key}/${scopeOf(time, scope)}` };
};

/** `20261130T120000Z` */
const timeOf = (now: Date): string => now.toISOString().replace(/[-:]|\.\d{3}/g, '');

const scopeOf = (time: string, { region, service }: SigningScope): string =>
  `${time.slice(0, 8)}/${region}/${service}/aws4_request`;

/** Parameters in the order of their names; equal names in the order of their values. */
const queryOf = (parameters: URLSearchParams): string =>
  [...parameters]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .toSorted()
    .join('&');

/** As RFC 3986 has it: stricter than the language's own. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text));

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const sha256 = async (text: string): Promise<string> =>
  hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(text))));

const hmac = async (key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array<ArrayBuffer>> => {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytesOf(text)));
};
