// A log on a full disk: the process that writes it goes on.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const MODULE = new URL('../../../local/lossy-log.ts', import.meta.url).href;
const script = (first: string): string =>
  `${first} process.stderr.write('lost'); setTimeout(() => process.stdout.write('alive'), 50);`;

const spoken = (first: string): string => {
  const full = openSync('/dev/full', 'w');
  try {
    const args = ['--input-type=module', '-e', script(first)];
    return spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', full], encoding: 'utf8' }).stdout;
  } finally {
    closeSync(full);
  }
};

describe.skipIf(!existsSync('/dev/full'))('a log that cannot be written', () => {
  it('is lost, and the process goes on; without this it would end', () => {
    expect(spoken(`import { lossyLog } from ${JSON.stringify(MODULE)}; lossyLog();`)).toBe('alive');
    expect(spoken('')).toBe('');
  });
});
