// Secrets of the embedded host: a file `name@server` for each, below a folder of the home that only its owner may read. What is refused is told to
// people elsewhere, so it names no folder of this machine.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Secrets } from '#shared/ports/secrets.ts';

/** Letters, digits and a few signs: a name leads to no other folder. */
const NAME = /^[A-Za-z0-9][\w.-]{0,100}$/;
/** A name or an address, and a port. */
const SERVER = /^[\w.:[\]-]{1,140}$/;
/** Others of the machine may not read it. */
const OTHERS = 0o077;

/** Secrets in a folder; the last line break of a file is not part of its secret. */
export const filesSecrets = (folder: string): Secrets => ({
  read: async (name, server) => {
    if (!NAME.test(name) || !SERVER.test(server)) throw unknown(name, server);
    const file = join(folder, `${name}@${server}`);
    const mode = statSync(file, { throwIfNoEntry: false })?.mode;
    if (mode === undefined) throw unknown(name, server);
    if ((mode & OTHERS) !== 0) throw open(name, server);
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  },
});

const unknown = (name: string, server: string): HcaFault =>
  new HcaFault('HcaNotFound', {
    message: `there is no secret "${name.slice(0, 100)}" for ${server.slice(0, 140)}`,
    field: 'workspace.git.credential',
    remedy: 'whoever runs the host keeps it as secrets/NAME@SERVER in its home, mode 600: a secret is for one server',
  });

const open = (name: string, server: string): HcaFault =>
  new HcaFault('HcaDenied', {
    message: `others of the host's machine may read the secret "${name}" for ${server}`,
    field: 'workspace.git.credential',
    remedy: `in the home of the host: chmod 600 'secrets/${name}@${server}'`,
  });
