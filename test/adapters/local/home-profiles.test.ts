// Harness packages of a home: the suite of the port, and what a damaged or a half-written file does.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { homeProfiles } from '#shared/adapters/local/home-profiles.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import { certification } from '#test/support/code-fix.ts';
import { profilesSuite } from '../suites/profiles.ts';

const folderOf = (): { folder: string; close(): Promise<void> } => {
  const top = mkdtempSync(path.join(tmpdir(), 'hca-profiles-'));
  return { folder: path.join(top, 'harnesses'), close: async () => rmSync(top, { recursive: true }) };
};

const comesWithHca = (shipped: HarnessPackage[]) => ({ all: async () => shipped });

profilesSuite('in a home', async (shipped) => {
  const { folder, close } = folderOf();
  const again = async () => ({ profiles: homeProfiles(comesWithHca(shipped), folder) });
  return { ...(await again()), again, close };
});

test('a damaged file is named with its remedy, which helps; a file that was never finished counts for nothing', async () => {
  const { folder, close } = folderOf();
  onTestFinished(close);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'certification.json'), '{"name": "certi');
  writeFileSync(path.join(folder, 'other.json.new'), '{');
  const profiles = homeProfiles(comesWithHca([certification]), folder);
  await expect(profiles.all()).rejects.toMatchObject({
    code: 'HcaCorrupt',
    message: expect.stringContaining(path.join(folder, 'certification.json')),
    remedy: expect.stringContaining('hca harness remove certification'),
  });
  expect(await profiles.remove('certification')).toBe(true);
  expect(await profiles.all()).toEqual([certification]);
});

test('a file that holds a package of another name is not taken for it', async () => {
  const { folder, close } = folderOf();
  onTestFinished(close);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'mine.json'), JSON.stringify(certification));
  await expect(homeProfiles(comesWithHca([]), folder).all()).rejects.toMatchObject({
    code: 'HcaCorrupt',
    message: expect.stringContaining('it must be "mine"'),
  });
});
