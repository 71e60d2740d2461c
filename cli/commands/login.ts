// `hca login`, `logout`, `whoami`: who one is at a host elsewhere, remembered in the home.
import * as z from 'zod';
import { openDoor } from '#shared/client/door.ts';
import { fixedToken, type Proof } from '#shared/client/proof.ts';
import { EXIT, HcaFault } from '#shared/contracts/errors.ts';
import type { App } from '../app.ts';
import { forgetLogin, keepLogin, type Login, readLogins } from '../credentials.ts';
import { type CommandSpec, readOptions } from '../define.ts';
import { readEndpoint } from '../endpoint.ts';
import { moment, table } from '../format.ts';
import { LoginOptions, loginBy } from '../log-in.ts';
import { proofOf } from '../login-proof.ts';

export const login: CommandSpec = {
  name: 'login',
  args: [],
  summary: 'log in at a host elsewhere (--endpoint) and remember it',
  options: [
    { flags: '--token-file <file>', text: 'a token that is in a file' },
    { flags: '--token-stdin', text: 'a token that comes on stdin' },
    { flags: '--issuer <url>', text: 'who gives tokens (default: whom the host names); confirmed in a browser' },
    { flags: '--client-id <id>', text: 'what the issuer calls this command (default: as the host says, else hca)' },
    { flags: '--scope <words>', text: 'what to ask the issuer for' },
    { flags: '--aws', text: 'sign every request with AWS credentials (environment or profile)' },
    { flags: '--profile <name>', text: 'the AWS profile to sign with' },
    { flags: '--socket <url>', text: 'where the WebSocket is, if not at the same address' },
  ],
  examples: [
    'hca login --endpoint wss://hca.example.org/acp',
    'hca login --endpoint https://hca.example.org --token-file ~/hca.jwt',
    'hca login --endpoint https://abc.execute-api.eu-central-1.amazonaws.com --aws',
  ],
  run: async (app, given) => {
    const options = readOptions(LoginOptions, given);
    const made = await loginBy(app, endpointGiven(app), options);
    const door = openDoor({ url: made.url, socket: made.socket, proof: ownProof(app, made) });
    const who = await door.call('_hca/whoami', {});
    keepLogin(app.home, made);
    app.answer({ endpoint: made.url, ...who }, () => [
      `Logged in at ${made.url} as ${who.subject} (${who.scopes.join(', ') || 'no scopes'}).`,
      `Use it: hca tasks --endpoint ${made.url}, or set HCA_ENDPOINT.`,
    ]);
    return EXIT.accepted;
  },
};

/** A new login is tried as it is: what is stored from before must not stand in for it. */
const ownProof = (app: App, made: Login): Proof => {
  if (made.kind === 'aws') return proofOf(app, made);
  return fixedToken(made.kind === 'token' ? made.token : made.access_token);
};

export const logout: CommandSpec = {
  name: 'logout',
  args: [],
  summary: 'forget a login',
  options: [{ flags: '--all', text: 'every one' }],
  examples: ['hca logout --endpoint wss://hca.example.org/acp', 'hca logout --all'],
  run: async (app, given) => {
    const { all } = readOptions(z.object({ all: z.boolean().default(false) }), given);
    const urls = all ? Object.keys(readLogins(app.home)) : [readEndpoint(endpointGiven(app)).url];
    const forgotten = urls.filter((url) => forgetLogin(app.home, url));
    app.answer({ forgotten }, () =>
      forgotten.length === 0 ? ['There was no login.'] : forgotten.map((url) => `Forgotten: ${url}`),
    );
    return EXIT.accepted;
  },
};

export const whoami: CommandSpec = {
  name: 'whoami',
  args: [],
  summary: 'who you are at a host, and where you are logged in',
  options: [],
  examples: ['hca whoami', 'hca whoami --endpoint wss://hca.example.org/acp'],
  run: async (app) => {
    const logins = Object.values(readLogins(app.home)).map((one) => ({
      endpoint: one.url,
      kind: one.kind,
      expires_at: one.kind === 'aws' ? null : one.expires_at,
      renews: one.kind === 'oauth' && one.refresh_token !== null,
    }));
    const door = await app.door();
    const who = await door.call('_hca/whoami', {});
    app.answer({ endpoint: door.address.url, ...who, logins }, () => [
      `${who.subject} of ${who.tenant} at ${door.address.url}: ${who.scopes.join(', ') || 'no scopes'}`,
      ...table(logins.map((one) => [one.endpoint, one.kind, lifeOf(one)])),
    ]);
    return EXIT.accepted;
  },
};

const lifeOf = ({ expires_at, renews }: { expires_at: number | null; renews: boolean }): string => {
  if (renews) return 'renews itself';
  return expires_at === null ? '' : `until ${moment(expires_at)}`;
};

const endpointGiven = ({ endpoint }: App): string => {
  if (endpoint !== undefined) return endpoint;
  throw new HcaFault('HcaBadInput', {
    message: 'which host is not said',
    field: '--endpoint',
    remedy: 'give --endpoint wss://…, or set HCA_ENDPOINT; the host of your own home needs no login',
  });
};
