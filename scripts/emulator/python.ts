// The Python of the emulator: a virtual environment of its own under node_modules/.cache, made once for a given requirements.txt.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));

/** Absolute path of a Python that has the emulator installed, every package checked against its hash. @throws Error with the remedy */
export const emulatorPython = (): string => {
  const version = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const folder = path.join(ROOT, 'node_modules', '.cache', `hca-emulator-${version}`);
  const python = path.join(folder, 'bin', 'python');
  const ready = path.join(folder, '.ready');
  if (existsSync(ready)) return python;
  rmSync(folder, { recursive: true, force: true });
  run('python3', ['-m', 'venv', folder]);
  run(python, [
    ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'],
    ...['--require-hashes', '--only-binary', ':all:', '-r', REQUIREMENTS],
  ]);
  writeFileSync(ready, '');
  return python;
};

function run(command: string, args: string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status === 0) return;
  throw new Error(
    `${command} ${args.slice(0, 3).join(' ')} failed; the emulator needs Python 3.10 or newer with venv (python3-venv)`,
    { cause: error },
  );
}
