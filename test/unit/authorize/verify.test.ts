// Tokens from elsewhere: who is let in, and what is said to everybody else.
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRules, tokenVerifier, type Verify } from '#functions/authorize/step.ts';
import { AUDIENCE, type Issuer, startIssuer } from '#test/support/issuer.ts';

let issuer: Issuer;
let verify: Verify;
beforeAll(async () => {
  issuer = await startIssuer();
  verify = tokenVerifier(readRules({ issuer: issuer.url, audience: AUDIENCE, cooldown_ms: 0 }));
});
afterAll(() => issuer.close());

const refusal = async (token: string, by = verify) => {
  const fault = await by(token).then(
    () => undefined,
    (error: unknown) => error,
  );
  return fault as { code: string; message: string; field: string; remedy: string };
};

const unsigned = (header: object, payload: object): string =>
  [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
    .concat('.');

describe('a good token', () => {
  it('says tenant, subject, scopes and when it ends, clocks considered', async () => {
    const exp = Math.floor(Date.now() / 1000) + 600;
    const claims = { tenant: 'acme', sub: 'bob', scope: 'read submit openid', exp };
    expect(await verify(await issuer.sign({ claims, expires_in: null }))).toEqual({
      principal: { tenant: 'acme', subject: 'bob', scopes: ['read', 'submit'] },
      expires_at: (exp + 10) * 1000,
    });
  });

  it('may have its scopes as a list, with a prefix, and its tenant in another claim', async () => {
    const other = tokenVerifier(
      readRules({ issuer: issuer.url, audience: AUDIENCE, tenant_claim: 'org', scope_prefix: 'hca/' }),
    );
    const claims = { org: 'acme', scope: undefined, scp: ['hca/read', 'approve', 'else/admin'] };
    expect((await other(await issuer.sign({ claims }))).principal).toMatchObject({ tenant: 'acme', scopes: ['read'] });
  });

  it('just over its end counts, within the tolerance for clocks', async () => {
    expect((await verify(await issuer.sign({ expires_in: -5 }))).principal.subject).toBe('alice');
  });

  it('is checked with a key set that was given, and nobody is asked', async () => {
    const { privateKey, publicKey } = await generateKeyPair('EdDSA');
    const keys = { keys: [{ ...(await exportJWK(publicKey)), kty: 'OKP', kid: 'given', alg: 'EdDSA' }] };
    const given = tokenVerifier(readRules({ issuer: 'https://nowhere.invalid', audience: AUDIENCE, keys }));
    const token = await new SignJWT({ sub: 'alice', tenant: 'acme', scope: 'read' })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'given' })
      .setIssuer('https://nowhere.invalid')
      .setAudience(AUDIENCE)
      .setExpirationTime('5m')
      .sign(privateKey);
    expect((await given(token)).principal.tenant).toBe('acme');
  });
});

describe('a bad token', () => {
  it.each([
    ['from another issuer', { claims: { iss: 'https://evil.example' } }, 'issuer'],
    ['for another audience', { claims: { aud: 'another' } }, 'audience'],
    ['for nobody in particular', { claims: { aud: undefined } }, 'audience'],
    ['that is over', { expires_in: -11 }, 'expired'],
    ['that has not begun', { not_before: 60 }, 'not valid yet'],
    ['without an end', { expires_in: null }, 'when it ends'],
    ['without a subject', { claims: { sub: undefined } }, 'whose it is'],
    ['signed with an unknown key', { kid: 'key-of-a-stranger' }, 'unknown key'],
  ])('%s is refused, and it is said why', async (_what, how, why) => {
    const fault = await refusal(await issuer.sign(how));
    expect(fault).toMatchObject({ code: 'HcaUnauthenticated', field: 'Authorization' });
    expect(fault.message).toContain(why);
    expect(fault.remedy).toContain('hca login');
  });

  it.each([
    ['no tenant', { tenant: undefined }, 'tenant'],
    ['a tenant that would be part of another key', { tenant: 'acme#x' }, 'tenant'],
    ['a tenant that is no text', { tenant: 7 }, 'tenant'],
    ['an empty subject', { sub: '' }, 'sub'],
    ['scopes that are no words', { scope: 7 }, 'scope'],
  ])('with %s is refused, naming the claim', async (_what, claims, field) => {
    expect(await refusal(await issuer.sign({ claims }))).toMatchObject({ code: 'HcaDenied', field });
  });

  it('without a signature, or signed with what everybody has, is refused', async () => {
    const payload = { iss: issuer.url, aud: AUDIENCE, sub: 'alice', tenant: 'local', exp: 9_999_999_999 };
    for (const alg of ['none', 'HS256']) {
      expect(await refusal(unsigned({ alg }, payload)), alg).toMatchObject({ code: 'HcaUnauthenticated' });
    }
    const secret = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
      .sign(new Uint8Array(32));
    expect(await refusal(secret)).toMatchObject({ code: 'HcaUnauthenticated' });
  });

  it('signed by somebody else under a known name is refused', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const [header, payload] = (await issuer.sign()).split('.');
    const other = await new SignJWT({}).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
    expect(await refusal(`${header}.${payload}.${other.split('.')[2]}`)).toMatchObject({ code: 'HcaUnauthenticated' });
  });

  it.each(['', 'x', 'a.b.c', '..', 'x'.repeat(20_000)])('that is no token is refused, case %#', async (token) => {
    expect(await refusal(token)).toMatchObject({ code: 'HcaUnauthenticated' });
  });

  it('with an algorithm that is not allowed here is refused', async () => {
    const strict = tokenVerifier(readRules({ issuer: issuer.url, audience: AUDIENCE, algorithms: ['RS256'] }));
    expect(await refusal(await issuer.sign(), strict)).toMatchObject({ code: 'HcaUnauthenticated' });
  });
});

describe('the issuer', () => {
  it('may change its keys: the new one is found, the old one is worth nothing', async () => {
    const before = await issuer.sign();
    expect((await verify(before)).principal.subject).toBe('alice');
    await issuer.rotate();
    expect((await verify(await issuer.sign())).principal.subject).toBe('alice');
    expect(await refusal(before)).toMatchObject({ code: 'HcaUnauthenticated' });
  });

  it('is not asked for its keys at every token, and not by unknown keys again and again', async () => {
    const calm = tokenVerifier(readRules({ issuer: issuer.url, audience: AUDIENCE }));
    const before = issuer.asked();
    for (let n = 0; n < 5; n += 1) await calm(await issuer.sign());
    for (let n = 0; n < 5; n += 1) await refusal(await issuer.sign({ kid: `made-up-${n}` }), calm);
    expect(issuer.asked() - before).toBe(1);
  });

  it('that cannot be reached is no fault of the token', async () => {
    const lost = tokenVerifier(readRules({ issuer: 'http://127.0.0.1:9', audience: AUDIENCE }));
    expect(await refusal(await issuer.sign(), lost)).toMatchObject({ code: 'HcaUnavailable', field: 'issuer' });
  });

  it('that calls itself otherwise is not the one that was meant', async () => {
    const renamed = tokenVerifier(readRules({ issuer: `${issuer.url}/`, audience: AUDIENCE }));
    expect(await refusal(await issuer.sign(), renamed)).toMatchObject({ code: 'HcaUnavailable', field: 'issuer' });
  });
});

it.each([
  [{ issuer: 'http://issuer.example', audience: 'x' }, 'issuer'],
  [{ issuer: 'no address', audience: 'x' }, 'issuer'],
  [{ issuer: 'https://issuer.example', audience: '' }, 'audience'],
  [{ issuer: 'https://issuer.example', audience: 'x', algorithms: ['HS256' as never] }, 'algorithms'],
])('rules that protect nothing are refused, case %#', (given, field) => {
  expect(() => readRules(given)).toThrow(expect.objectContaining({ code: 'HcaBadInput', field }));
});
