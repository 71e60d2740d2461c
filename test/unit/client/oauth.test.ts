// Tokens by the device flow and by a refresh token, from an issuer that was never seen before.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { awaitDevice, beginDevice } from '#shared/client/device.ts';
import { describeDoor, describeIssuer, refreshTokens } from '#shared/client/oauth.ts';
import { type Issuer, startIssuer } from '#test/support/issuer.ts';

let issuer: Issuer;
beforeEach(async () => {
  issuer = await startIssuer();
});
afterEach(() => issuer.close());

const client_id = 'hca';

const begun = async () => {
  const described = await describeIssuer(issuer.url);
  return { described, code: await beginDevice(described, { client_id, scope: 'read' }) };
};

it('waits while nobody has confirmed, then has a token that can be renewed', async () => {
  issuer.approve(null);
  const { described, code } = await begun();
  expect(code).toMatchObject({ user_code: 'WDJB-MJHT', verification_uri: `${issuer.url}/activate` });
  let waits = 0;
  const tokens = await awaitDevice(described, { code, client_id }, async () => {
    waits += 1;
    if (waits === 3) issuer.approve({ sub: 'carol' });
  });
  expect(waits).toBe(3);
  expect(tokens.expires_at).toBeGreaterThan(Date.now());
  const given = { client_id, refresh_token: tokens.refresh_token ?? '' };
  const fresh = await refreshTokens(described.token_endpoint, given);
  expect(fresh?.access_token).toMatch(/^ey/);
  expect(fresh?.refresh_token).not.toBe(tokens.refresh_token);
  expect(await refreshTokens(described.token_endpoint, given)).toBeUndefined();
});

it('says that nobody confirmed the code in time', async () => {
  const { described, code } = await begun();
  const late = { ...code, device_code: 'another' };
  await expect(awaitDevice(described, { code: late, client_id }, async () => undefined)).rejects.toMatchObject({
    code: 'HcaRefused',
    message: 'nobody confirmed the code in time',
  });
  const over = { ...code, expires_in: 0 };
  await expect(awaitDevice(described, { code: over, client_id }, async () => undefined)).rejects.toMatchObject({
    code: 'HcaRefused',
  });
});

it('says that an issuer offers no such login', async () => {
  const described = await describeIssuer(issuer.url);
  const { device_authorization_endpoint: _none, ...without } = described;
  await expect(beginDevice(without, { client_id, scope: 'read' })).rejects.toMatchObject({
    code: 'HcaRefused',
    remedy: expect.stringContaining('--token-file'),
  });
});

it('takes no other issuer for the one that was named', async () => {
  await expect(describeIssuer(`${issuer.url}/`)).rejects.toMatchObject({ code: 'HcaUnavailable', field: '--issuer' });
  await expect(describeIssuer('http://127.0.0.1:9')).rejects.toMatchObject({ code: 'HcaUnavailable' });
  expect(await describeDoor(issuer.url)).toBeUndefined();
});

it('no token is asked for, and no refresh token shown, where there is no TLS', async () => {
  const given = { client_id, refresh_token: 'x' };
  await expect(refreshTokens('http://login.example.org/token', given)).rejects.toMatchObject({
    code: 'HcaBadInput',
    field: '--issuer',
  });
});

it('an issuer that is down just now has not said no', async () => {
  const { described } = await begun();
  await issuer.close();
  await expect(refreshTokens(described.token_endpoint, { client_id, refresh_token: 'x' })).rejects.toMatchObject({
    code: 'HcaUnavailable',
    retryable: true,
  });
});
