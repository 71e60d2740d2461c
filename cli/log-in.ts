// The ways to log in: a token that is there already, a code that is confirmed in a browser, or AWS credentials.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { refuseInClear } from '#shared/client/address.ts';
import { awaitDevice, beginDevice, type DeviceCode } from '#shared/client/device.ts';
import { type DoorDescription, describeDoor, describeIssuer } from '#shared/client/oauth.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { App } from './app.ts';
import { awsCredentials, awsRegion } from './aws-credentials.ts';
import type { Login } from './credentials.ts';
import { readEndpoint } from './endpoint.ts';

export const LoginOptions = z.object({
  tokenFile: z.string().optional(),
  tokenStdin: z.boolean().default(false),
  issuer: z.url('not an address').optional(),
  clientId: z.string().min(1).optional(),
  scope: z.string().optional(),
  aws: z.boolean().default(false),
  profile: z.string().min(1).optional(),
  socket: z.url({ protocol: /^wss?$/, error: 'not the address of a WebSocket' }).optional(),
});
export type LoginOptions = z.infer<typeof LoginOptions>;

/** @throws HcaFault HcaBadInput, HcaUnauthenticated, HcaRefused, HcaUnavailable, each with what to do next */
export const loginBy = async (app: App, endpoint: string, options: LoginOptions): Promise<Login> => {
  const { url, socket } = readEndpoint(endpoint);
  const place = { url, socket: options.socket ?? socket };
  refuseInClear(place.socket, '--socket');
  if (options.aws) return awsLogin(app, place, options.profile ?? null);
  if (options.tokenFile !== undefined) return tokenLogin(place, readToken(path.resolve(app.cwd, options.tokenFile)));
  if (options.tokenStdin) return tokenLogin(place, await text(process.stdin));
  const described = await describeDoor(url);
  const host = { url, socket: options.socket ?? described?.hca_socket ?? socket };
  refuseInClear(host.socket, '--socket');
  return deviceLogin(host, { options, described });
};

type Place = Pick<Login, 'url' | 'socket'>;

/** Asks for the keys once, so that one learns at once that there are none. */
const awsLogin = ({ env }: App, place: Place, profile: string | null): Login => {
  awsCredentials(env, profile);
  return { kind: 'aws', ...place, profile, region: awsRegion(place.url, env, profile) };
};

const readToken = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw bad(`the token cannot be read from ${file}`, '--token-file', cause);
  }
};

const tokenLogin = (place: Place, given: string): Login => {
  const token = given.trim();
  if (!/^[\x21-\x7e]+$/.test(token) || token.length > MOST_TOKEN) throw bad('that is no token', 'token');
  return { kind: 'token', ...place, token, expires_at: endOf(token) };
};

/** Servers take some 16 KB of headers. */
const MOST_TOKEN = 12_000;

/** When a JWT ends, as it says itself; whether that is true is the host's to find out. */
const endOf = (token: string): number | null => {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return z.object({ exp: z.number() }).parse(claims).exp * 1000;
  } catch {
    return null;
  }
};

type Known = { options: LoginOptions; described: DoorDescription | undefined };

const deviceLogin = async (place: Place, { options, described }: Known): Promise<Login> => {
  const name = options.issuer ?? described?.authorization_servers[0];
  if (name === undefined) throw bad(`${place.url} does not say who gives tokens for it`, '--issuer');
  const issuer = await describeIssuer(name);
  const client_id = options.clientId ?? described?.hca_client ?? 'hca';
  const audience = described?.hca_audience;
  const scope = options.scope ?? [...scopesOf(described), 'offline_access'].join(' ');
  const code = await beginDevice(issuer, { client_id, scope, ...(audience === undefined ? {} : { audience }) });
  show(code);
  const tokens = await awaitDevice(issuer, { code, client_id }, (ms) => pause(ms));
  return { kind: 'oauth', ...place, issuer: name, token_endpoint: issuer.token_endpoint, client_id, ...tokens };
};

const scopesOf = (described: DoorDescription | undefined): string[] =>
  described === undefined || described.scopes_supported.length === 0
    ? ['read', 'submit', 'approve']
    : described.scopes_supported;

/** On stderr: stdout is for the answer. */
const show = (code: DeviceCode): void => {
  const where = code.verification_uri_complete ?? code.verification_uri;
  process.stderr.write(`Open ${where} in a browser and confirm the code ${code.user_code}. Waiting…\n`);
};

const bad = (message: string, field: string, cause?: unknown): HcaFault =>
  new HcaFault('HcaBadInput', {
    message,
    field,
    remedy: 'give a token with --token-file or --token-stdin, an issuer with --issuer, or --aws',
    cause,
  });
