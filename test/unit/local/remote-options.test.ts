// A host is not opened for others by half: every option that is missing or odd is named, with what to do.
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLimits } from '#local/limits.ts';
import { remoteOptions } from '#local/remote-options.ts';

let top: string;
beforeAll(() => {
  top = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'hca-options-')));
  writeFileSync(path.join(top, 'cert.pem'), 'cert');
  writeFileSync(path.join(top, 'key.pem'), 'key');
  symlinkSync(top, path.join(top, 'link'));
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const OPEN = { listen: '0.0.0.0:8443', issuer: 'https://x.example', audience: 'hca', host: 'hca.example.org' };

it('all that is needed makes a front for others', () => {
  const [cert, key] = [path.join(top, 'cert.pem'), path.join(top, 'key.pem')];
  const given = {
    ...OPEN,
    'tls-cert': cert,
    'tls-key': key,
    folders: path.join(top, 'link'),
    'allow-origin': 'https://a, https://b',
  };
  expect(remoteOptions(given)).toMatchObject({
    host: '0.0.0.0',
    port: 8443,
    names: ['hca.example.org'],
    origins: ['https://a', 'https://b'],
    folders: [top],
    tenant: 'local',
    tls: { cert: 'cert', key: 'key' },
    rules: { issuer: 'https://x.example', audience: 'hca', tenant_claim: 'tenant' },
  });
});

it('nothing of it is a host for one person; on loopback its own token is enough', () => {
  expect(remoteOptions({})).toBeUndefined();
  for (const listen of ['127.0.0.1:8443', 'localhost:1', '[::1]:8443']) {
    expect(remoteOptions({ listen })).toMatchObject({ rules: null });
  }
});

it.each([
  [{ ...OPEN, issuer: undefined, audience: undefined }, '--issuer'],
  [{ listen: '[::]:8443' }, '--issuer'],
  [{ listen: '192.0.2.7:8443' }, '--issuer'],
  [{ ...OPEN, issuer: undefined }, '--issuer'],
  [{ ...OPEN, audience: undefined }, '--audience'],
  [{ ...OPEN, issuer: 'http://x.example' }, 'issuer'],
  [{ ...OPEN, host: undefined }, '--host'],
  [{ ...OPEN, tenant: 'A#b' }, '--tenant'],
  [{ ...OPEN, listen: 'nonsense' }, '--listen'],
  [{ ...OPEN, listen: '0.0.0.0:99999' }, '--listen'],
  [{ ...OPEN, folders: '/no/such/folder' }, '--folders'],
  [{ ...OPEN, folders: 'relative' }, '--folders'],
  [{ ...OPEN, 'tls-cert': '/nowhere.pem' }, '--tls-key'],
  [{ ...OPEN, 'tls-key': '/nowhere.pem' }, '--tls-cert'],
  [{ ...OPEN, 'tls-cert': '/nowhere.pem', 'tls-key': '/nowhere.pem' }, '--tls-cert'],
  [{ issuer: 'https://x.example' }, '--issuer'],
  [{ folders: '/srv' }, '--folders'],
])('%j is refused, naming %s', (given, field) => {
  expect(() => remoteOptions(given)).toThrow(
    expect.objectContaining({ code: 'HcaBadInput', field, remedy: expect.stringMatching(/\w/) }),
  );
});

it('limits come from one variable; what is not named is generous', () => {
  expect(readLimits({})).toMatchObject({ frames: 50, prompts: 60 });
  expect(readLimits({ HCA_LIMITS: 'frames=5, bytes=2048' })).toMatchObject({ frames: 5, bytes: 2048, prompts: 60 });
  for (const odd of ['frames', 'frames=', 'frames=x', 'frames=0', 'nothing=3', 'frames=1.5']) {
    expect(() => readLimits({ HCA_LIMITS: odd }), odd).toThrow(expect.objectContaining({ field: 'HCA_LIMITS' }));
  }
});
