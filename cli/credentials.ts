// Logins to hosts elsewhere, kept in the home for its owner only (`credentials.json`, 0600): which host, how to show who asks, and until when.
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { prepareHome } from '#local/home.ts';
import { HcaFault } from '#shared/contracts/errors.ts';

const host = { url: z.string(), socket: z.string() };

/** `expires_at` in ms; null where it is not known. */
export const Login = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('token'), ...host, token: z.string(), expires_at: z.int().nullable() }),
  z.object({
    kind: z.literal('oauth'),
    ...host,
    issuer: z.string(),
    token_endpoint: z.string(),
    client_id: z.string(),
    access_token: z.string(),
    refresh_token: z.string().nullable(),
    expires_at: z.int().nullable(),
  }),
  z.object({ kind: z.literal('aws'), ...host, profile: z.string().nullable(), region: z.string() }),
]);
export type Login = z.infer<typeof Login>;

const Kept = z.object({ version: z.literal(1), logins: z.record(z.string(), Login) });

/** Every login, by the url of its host. @throws HcaFault HcaDenied when others can read the file, HcaCorrupt when it is damaged */
export const readLogins = (home: string): Record<string, Login> => {
  const file = fileOf(home);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return {};
  if ((found.mode & 0o077) !== 0) throw open(file);
  try {
    return Kept.parse(JSON.parse(readFileSync(file, 'utf8'))).logins;
  } catch (cause) {
    throw damaged(file, cause);
  }
};

/** Stores a login in place of an earlier one to the same host. */
export const keepLogin = (home: string, login: Login): void => {
  prepareHome(home);
  write(home, { ...readLogins(home), [login.url]: login });
};

/** Forgets a login; false when there was none. */
export const forgetLogin = (home: string, url: string): boolean => {
  const { [url]: found, ...rest } = readLogins(home);
  if (found === undefined) return false;
  write(home, rest);
  return true;
};

const fileOf = (home: string): string => path.join(home, 'credentials.json');

/** Whole or not at all, and never readable by others, not even for a moment. */
const write = (home: string, logins: Record<string, Login>): void => {
  const file = fileOf(home);
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify({ version: 1, logins }, null, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, file);
};

const open = (file: string): HcaFault =>
  new HcaFault('HcaDenied', {
    message: `${file} can be read by others`,
    field: 'credentials',
    remedy: `chmod 600 "${file}", and log in again if somebody may have read it`,
  });

const damaged = (file: string, cause: unknown): HcaFault =>
  new HcaFault('HcaCorrupt', {
    message: `${file} is damaged`,
    field: 'credentials',
    remedy: `remove it and log in again: hca login --endpoint URL`,
    cause,
  });
