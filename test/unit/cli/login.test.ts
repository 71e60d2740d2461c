// Logins: kept for their owner only, renewed when they end, and said clearly when they cannot be; AWS keys found where every tool finds them.
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { awsCredentials, awsRegion } from '#cli/aws-credentials.ts';
import { forgetLogin, keepLogin, type Login, readLogins } from '#cli/credentials.ts';
import { remoteAddress } from '#cli/endpoint.ts';
import { loginBy } from '#cli/log-in.ts';
import { type Issuer, startIssuer } from '#test/support/issuer.ts';

const URL_OF = 'https://hca.example.org';
const HOST = { url: URL_OF, socket: 'wss://hca.example.org/acp' };

let top: string;
let home: string;
beforeEach(() => {
  top = mkdtempSync(path.join(os.tmpdir(), 'hca-login-'));
  home = path.join(top, 'home');
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const token = (expires_at: number | null = null): Login => ({ kind: 'token', ...HOST, token: 'secret', expires_at });
const headers = (env: NodeJS.ProcessEnv = {}) =>
  remoteAddress({ home, env }, 'wss://hca.example.org/acp').proof.headers(`${URL_OF}/rpc`, '{}');

describe('the file of logins', () => {
  it('is for its owner only, in a home that hca itself still takes for its own', () => {
    keepLogin(home, token());
    expect(statSync(path.join(home, 'credentials.json')).mode & 0o777).toBe(0o600);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    keepLogin(home, { ...token(), url: 'https://other.example.org' });
    expect(Object.keys(readLogins(home))).toEqual([URL_OF, 'https://other.example.org']);
    expect([forgetLogin(home, URL_OF), forgetLogin(home, URL_OF)]).toEqual([true, false]);
    expect(readFileSync(path.join(home, 'credentials.json'), 'utf8')).not.toContain(URL_OF);
  });

  it('is not read when others could, nor when it is damaged; it says what to do', () => {
    keepLogin(home, token());
    const file = path.join(home, 'credentials.json');
    chmodSync(file, 0o644);
    expect(() => readLogins(home)).toThrow(
      expect.objectContaining({ code: 'HcaDenied', remedy: expect.stringContaining('chmod 600') }),
    );
    chmodSync(file, 0o600);
    writeFileSync(file, '{"version": 1, "logins": {"x": {"kind": "odd"}}}');
    expect(() => readLogins(home)).toThrow(expect.objectContaining({ code: 'HcaCorrupt' }));
  });
});

describe('a host elsewhere', () => {
  it('is asked with the login, or with $HCA_TOKEN', async () => {
    keepLogin(home, token(Date.now() + 3_600_000));
    expect(await headers()).toEqual({ authorization: 'Bearer secret' });
    expect(await headers({ HCA_TOKEN: 'other' })).toEqual({ authorization: 'Bearer other' });
  });

  it('without a login, or with one that is over, it is said what to do', async () => {
    expect(() => remoteAddress({ home, env: {} }, URL_OF)).toThrow(
      expect.objectContaining({
        code: 'HcaUnauthenticated',
        remedy: expect.stringContaining(`hca login --endpoint ${URL_OF}`),
      }),
    );
    keepLogin(home, token(Date.now() - 1));
    await expect(headers()).rejects.toMatchObject({
      code: 'HcaUnauthenticated',
      message: expect.stringContaining('has expired'),
    });
  });

  it.each(['nonsense', 'ftp://x', '', '/acp'])('"%s" is no address of one', (given) => {
    expect(() => remoteAddress({ home, env: {} }, given)).toThrow(
      expect.objectContaining({ code: 'HcaBadInput', field: '--endpoint' }),
    );
  });
});

it('a credential in the address is refused, and not repeated', () => {
  const given = () => remoteAddress({ home, env: {} }, 'https://me:pass-9@hca.example.org');
  expect(given).toThrow(expect.objectContaining({ code: 'HcaBadInput', field: '--endpoint' }));
  expect(given).not.toThrow('pass-9');
});

it('an address in clear is refused before a token is looked for, be it the host or its WebSocket', async () => {
  const env = { HCA_TOKEN: 'secret' };
  expect(() => remoteAddress({ home, env }, 'ws://hca.example.org/acp')).toThrow(
    expect.objectContaining({ code: 'HcaBadInput', field: '--endpoint', remedy: expect.stringContaining('wss') }),
  );
  const file = path.join(top, 'token');
  writeFileSync(file, 'abc');
  const app = { cwd: top, env: {} } as Parameters<typeof loginBy>[0];
  const options = { tokenFile: file, tokenStdin: false, aws: false, socket: 'ws://hca.example.org/acp' };
  await expect(loginBy(app, URL_OF, options)).rejects.toMatchObject({ code: 'HcaBadInput', field: '--socket' });
});

it('what is longer than any header is no token, and is sent nowhere', async () => {
  const file = path.join(top, 'long');
  writeFileSync(file, 'a'.repeat(12_001));
  const app = { cwd: top, env: {} } as Parameters<typeof loginBy>[0];
  const options = { tokenFile: file, tokenStdin: false, aws: false };
  await expect(loginBy(app, URL_OF, options)).rejects.toMatchObject({ code: 'HcaBadInput', field: 'token' });
});

describe('a login that ends', () => {
  let issuer: Issuer;
  let refresh: string;
  beforeEach(async () => {
    issuer = await startIssuer();
    const form = new URLSearchParams({ device_code: 'device-1' });
    const given = await (await fetch(`${issuer.url}/token`, { method: 'POST', body: form })).json();
    refresh = String(Reflect.get(Object(given), 'refresh_token'));
  });
  afterEach(() => issuer.close());

  const login = (): Login => ({
    kind: 'oauth',
    ...HOST,
    issuer: issuer.url,
    token_endpoint: `${issuer.url}/token`,
    client_id: 'hca',
    access_token: 'old',
    refresh_token: refresh,
    expires_at: Date.now() - 1,
  });

  it('is renewed, and kept for the next command', async () => {
    keepLogin(home, login());
    const { authorization } = await headers();
    expect(authorization).toMatch(/^Bearer ey/);
    expect(await headers()).toEqual({ authorization });
    expect(readLogins(home)[URL_OF]).toMatchObject({ access_token: authorization?.slice(7) });
  });

  it('two commands at once: the one that comes too late takes what the other has got', async () => {
    keepLogin(home, login());
    const slow = remoteAddress({ home, env: {} }, URL_OF).proof;
    const { authorization } = await headers();
    expect(await slow.headers(`${URL_OF}/rpc`, '{}')).toEqual({ authorization });
  });

  it('that the issuer renews no more is over', async () => {
    keepLogin(home, login());
    issuer.forgetRefreshTokens();
    await expect(headers()).rejects.toMatchObject({ code: 'HcaUnauthenticated' });
  });
});

describe('AWS keys', () => {
  const files = (credentials: string, config = ''): Record<string, string> => {
    const env = {
      AWS_SHARED_CREDENTIALS_FILE: path.join(top, 'credentials'),
      AWS_CONFIG_FILE: path.join(top, 'config'),
    };
    writeFileSync(env.AWS_SHARED_CREDENTIALS_FILE, credentials);
    writeFileSync(env.AWS_CONFIG_FILE, config);
    return env;
  };
  const PROFILES = `[default]\naws_access_key_id = D1\naws_secret_access_key=D2\n# x\n[team]\naws_access_key_id=T1\n  s3 =\n    region = no\naws_secret_access_key=T2\naws_session_token=T3\n`;

  it('come from the environment, else from the profile', () => {
    const env = files(PROFILES);
    const own = { AWS_ACCESS_KEY_ID: 'E1', AWS_SECRET_ACCESS_KEY: 'E2' };
    expect(awsCredentials({ ...env, ...own }, null)).toEqual({
      access_key: 'E1',
      secret_key: 'E2',
      session_token: null,
    });
    expect(awsCredentials(env, null)).toEqual({ access_key: 'D1', secret_key: 'D2', session_token: null });
    const team = { access_key: 'T1', secret_key: 'T2', session_token: 'T3' };
    expect(awsCredentials({ ...env, AWS_PROFILE: 'team' }, null)).toEqual(team);
    expect(awsCredentials({ ...env, ...own }, 'team')).toEqual(team);
  });

  it('that would have to be asked for first are not, and it is said how', () => {
    const env = files('', '[profile work]\nsso_session = x\nregion = eu-west-1\n');
    expect(() => awsCredentials(env, 'work')).toThrow(
      expect.objectContaining({
        code: 'HcaUnauthenticated',
        remedy: expect.stringContaining('aws configure export-credentials --profile work --format env'),
      }),
    );
  });

  it('are for the region that the address names, else the one that is set', () => {
    const env = files('', '[default]\nregion = eu-west-3\n');
    expect(awsRegion('https://abc.execute-api.eu-central-1.amazonaws.com/x', env, null)).toBe('eu-central-1');
    expect(awsRegion('https://hca.example.org', { ...env, AWS_REGION: 'us-east-1' }, null)).toBe('us-east-1');
    expect(awsRegion('https://hca.example.org', env, null)).toBe('eu-west-3');
    expect(() => awsRegion('https://hca.example.org', files(''), null)).toThrow(
      expect.objectContaining({ field: 'AWS_REGION' }),
    );
  });
});
