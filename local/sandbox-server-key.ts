// The key of the sandbox server: given by environment or file, else made once and kept where only its owner reads it (architecture 11).
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { HcaFault } from '#shared/contracts/errors.ts';

/** `file`: where it lies, null when it came from the environment. */
export interface ServerKey {
  key: string;
  file: string | null;
}

/** As an agent-server names it. */
const VARIABLE = 'SESSION_API_KEY';

/** 16 characters that are not guessed hold out against any number of tries. */
const SHORTEST = 16;

/** `given`: file of the person; `own`: file that is made when nothing is given. @throws HcaFault HcaBadInput naming what was given */
export const serverKey = (env: NodeJS.ProcessEnv, files: { given: string | undefined; own: string }): ServerKey => {
  if (files.given !== undefined) return { key: checked(read(files.given), '--key-file'), file: files.given };
  const fromEnv = env[VARIABLE];
  if (fromEnv !== undefined) return { key: checked(fromEnv, VARIABLE), file: null };
  writeOnce(files.own);
  return { key: checked(read(files.own), 'key'), file: files.own };
};

const writeOnce = (file: string): void => {
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
};

const read = (file: string): string => {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() !== true)
    throw bad(`there is no key file ${file}`, 'name a file that holds the key and nothing else');
  if ((stat.mode & 0o077) !== 0) throw bad(`others can read the key file ${file}`, `close it: chmod 600 ${file}`);
  return readFileSync(file, 'utf8').trim();
};

const checked = (key: string, field: string): string => {
  if (key.length >= SHORTEST && /^[\x21-\x7e]+$/.test(key)) return key;
  const message = `the key (${field}) has less than ${SHORTEST} characters, or some that a header cannot hold`;
  throw bad(message, 'make one with: openssl rand -hex 32', field);
};

const bad = (message: string, remedy: string, field = '--key-file'): HcaFault =>
  new HcaFault('HcaBadInput', { message, field, remedy });
