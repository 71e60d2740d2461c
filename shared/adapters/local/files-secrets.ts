// Secrets of the embedded host: one file for each, below a folder of the home that only its owner may read.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Secrets } from '#shared/ports/secrets.ts';

/** Letters, digits and a few signs: a name leads to no other folder. */
const NAME = /^[A-Za-z0-9][\w.-]{0,100}$/;
/** Others of the machine may not read it. */
const OTHERS = 0o077;

/** Secrets in a folder; the last line break of a file is not part of its secret. */
export const filesSecrets = (folder: string): Secrets => ({
  read: async (name) => {
    if (!NAME.test(name)) throw unknown(name, folder);
    const file = join(folder, name);
    const mode = statSync(file, { throwIfNoEntry: false })?.mode;
    if (mode === undefined) throw unknown(name, folder);
    if ((mode & OTHERS) !== 0) throw open(name, file);
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  },
});

const unknown = (name: string, folder: string): HcaFault =>
  new HcaFault('HcaNotFound', {
    message: `there is no secret "${name.slice(0, 100)}"`,
    field: 'credential',
    remedy: `write it to a file of this name in ${folder} that only you may read (mode 600)`,
  });

const open = (name: string, file: string): HcaFault =>
  new HcaFault('HcaDenied', {
    message: `others of this machine may read the secret "${name}"`,
    field: 'credential',
    remedy: `chmod 600 ${file}`,
  });
