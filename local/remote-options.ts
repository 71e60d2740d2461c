// What a host that others reach is started with, checked before anything listens: where, with which names, whose tokens, which folders.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { readRules, type TokenRules } from '#functions/authorize/step.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { Tenant } from '#shared/contracts/ids.ts';
import { OWN_NAMES } from './guard.ts';

const List = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  );

/** As they stand on the command line. */
const Given = z.object({
  listen: z.string(),
  issuer: z.string().optional(),
  audience: z.string().optional(),
  tenant: Tenant.default('local'),
  'tenant-claim': z.string().min(1).optional(),
  'scope-prefix': z.string().optional(),
  'client-id': z.string().optional(),
  'tls-cert': z.string().optional(),
  'tls-key': z.string().optional(),
  host: List,
  'allow-origin': List,
  folders: List,
});

/** Names of the options, for whoever passes them on. */
export const REMOTE_OPTIONS = Object.keys(Given.shape);

/** `rules`: null on loopback without an issuer, where the token file is enough. `folders`: below which others may have work done. */
export interface RemoteOptions {
  host: string;
  port: number;
  names: string[];
  origins: string[];
  folders: string[];
  tenant: string;
  rules: TokenRules | null;
  client: string | null;
  tls: { cert: string; key: string } | null;
}

/** Options of a front for others; undefined when there is to be none. @throws HcaFault HcaBadInput naming option and remedy */
export const remoteOptions = (values: Readonly<Record<string, string | undefined>>): RemoteOptions | undefined => {
  if (values.listen === undefined) return refuseStray(values);
  const read = Given.safeParse(values);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw bad(issue?.message ?? 'not as expected', String(issue?.path[0] ?? 'listen'), 'see: hca up --help');
  }
  const given = read.data;
  const place = placeOf(given.listen);
  const rules = rulesOf(given);
  if (!isLoopback(place.host)) checkOpen(given, rules);
  return {
    ...place,
    names: given.host.length > 0 ? given.host : OWN_NAMES,
    origins: given['allow-origin'],
    folders: given.folders.map(folderOf),
    tenant: given.tenant,
    rules,
    client: given['client-id'] ?? null,
    tls: tlsOf(given),
  };
};

const refuseStray = (values: Readonly<Record<string, string | undefined>>): undefined => {
  const stray = REMOTE_OPTIONS.find((name) => values[name] !== undefined);
  if (stray === undefined) return undefined;
  throw bad(`--${stray} is for a host that others reach`, stray, 'say where it listens: --listen 0.0.0.0:8443');
};

/** What others reach asks who they are, and knows its own name. */
const checkOpen = (given: Read, rules: TokenRules | null): void => {
  if (rules === null) {
    throw bad(
      `a host that others can reach wants to know who they are: ${given.listen} is not only this machine`,
      'issuer',
      'give --issuer URL and --audience NAME, so that it asks for their tokens; or listen on 127.0.0.1',
    );
  }
  if (given.host.length > 0) return;
  throw bad(
    'what others call this host is not said',
    'host',
    'give --host hca.example.org, several with commas between',
  );
};

type Read = z.output<typeof Given>;

/** `127.0.0.1:8443`, `[::]:8443` */
const placeOf = (listen: string): { host: string; port: number } => {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(listen) ?? [];
  if (host !== undefined && Number(port) <= 65_535) return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  throw bad(`"${listen}" is no place to listen`, 'listen', 'give address and port, for example 0.0.0.0:8443');
};

const isLoopback = (host: string): boolean => /^127\.|^::1$|^localhost$/.test(host);

const rulesOf = (given: Read): TokenRules | null => {
  const { issuer, audience } = given;
  if (issuer === undefined && audience === undefined) return null;
  if (issuer === undefined) throw bad('whose tokens they are is not said', 'issuer', 'give --issuer URL');
  if (audience === undefined) throw bad('whom the tokens are for is not said', 'audience', 'give --audience NAME');
  const [tenant_claim, scope_prefix] = [given['tenant-claim'], given['scope-prefix']];
  return readRules({
    issuer,
    audience,
    ...(tenant_claim === undefined ? {} : { tenant_claim }),
    ...(scope_prefix === undefined ? {} : { scope_prefix }),
  });
};

const tlsOf = (given: Read): RemoteOptions['tls'] => {
  const [cert, key] = [given['tls-cert'], given['tls-key']];
  if (cert === undefined && key === undefined) return null;
  if (cert === undefined)
    throw bad('there is a key but no certificate', 'tls-cert', 'give both, or neither behind a proxy');
  if (key === undefined)
    throw bad('there is a certificate but no key', 'tls-key', 'give both, or neither behind a proxy');
  return { cert: pem(cert, 'tls-cert'), key: pem(key, 'tls-key') };
};

const pem = (file: string, option: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw bad(`${file} cannot be read`, option, 'name a PEM file that this user may read');
  }
};

/** As the system knows it, so that no link leads out of it. */
const folderOf = (given: string): string => {
  const isFolder = path.isAbsolute(given) && statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder) return realpathSync(given);
  throw bad(`${given} is no folder`, 'folders', 'give absolute paths of existing folders, with commas between');
};

const bad = (message: string, option: string, remedy: string): HcaFault =>
  new HcaFault('HcaBadInput', { message, field: `--${option}`, remedy });
