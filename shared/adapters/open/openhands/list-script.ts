// Every file of a remote session with what `stat` says of it, in one script; folders that no snapshot looks into are named and not walked.
// Also the texts of the files that decide what is left out.
import * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';
import { DEPENDENCIES, REPOSITORIES } from '#shared/domain/snapshot-rules.ts';
import { within } from './shell-words.ts';

/** `kind`: file, directory, link, or anything else. `stamp` changes whenever the file's content may have. `changed` in seconds. */
export type RemoteFile = {
  path: string;
  kind: string;
  exec: boolean;
  bytes: number;
  target: string;
  stamp: string;
  changed: number;
};

/** `now`: the server's clock in seconds. `top`: real path of the session's files. `rules`: text by path. Parents come before what is in them. */
export type Listing = { now: number; top: string; files: RemoteFile[]; rules: ReadonlyMap<string, string> };

/** Rule files of a size that no person writes are not read: nothing is left out for them. */
const RULES_KB = 256;

export function listScript(session: string): string {
  return within(
    session,
    `cd "$W" || exit 1
date +%s; printf %s "$W" | base64 -w0; echo
find . -mindepth 1 \\( ${PRUNED} \\) -printf '${FORMAT}' -prune -o -printf '${FORMAT}' | base64 -w0; echo
find . -mindepth 1 \\( ${PRUNED} \\) -prune -o -type f \\( -name .gitignore -o -name .npmrc \\) -size -${RULES_KB}k -print0 |
  xargs -0 -r -n 1 sh -c 'printf "%s " "$(printf %s "\${1#./}" | base64 -w0)"; base64 -w0 <"$1"; echo' sh
`,
  );
}

const names = (all: ReadonlySet<string>): string => [...all].map((name) => `-name ${name}`).join(' -o ');
const PRUNED = `${names(REPOSITORIES)} -o -type d \\( ${names(DEPENDENCIES)} \\)`;

/** Kind, mode, size, inode, times of content and of status, path, target of a link. */
const FORMAT = '%y\\0%m\\0%s\\0%i\\0%T@\\0%C@\\0%P\\0%l\\0';
const FIELDS = 8;

/** @throws HcaFault HcaSandbox when the answer is none of this script */
export function readListing(stdout: string): Listing {
  const [now = '', top = '', files = '', ...rules] = stdout.split('\n');
  const clock = z.coerce.number().int().positive().safeParse(now);
  if (!clock.success) throw new HcaFault('HcaSandbox', { message: 'the agent-server could not list the session' });
  return {
    now: clock.data,
    top: decoded(top),
    files: rowsOf(Buffer.from(files, 'base64')),
    rules: new Map(rules.filter((line) => line !== '').map(ruleOf)),
  };
}

/** A name that is no UTF-8 cannot be asked for again, so nothing is said of it. */
function rowsOf(bytes: Buffer): RemoteFile[] {
  const fields = bytes.toString('utf8').split('\0');
  const rows: RemoteFile[] = [];
  for (let at = 0; at + FIELDS < fields.length; at += FIELDS) rows.push(rowOf(fields.slice(at, at + FIELDS)));
  return rows.filter((row) => !row.path.includes('\ufffd'));
}

function rowOf([
  kind = '',
  mode = '',
  size = '',
  inode = '',
  written = '',
  changed = '',
  path = '',
  target = '',
]: string[]): RemoteFile {
  return {
    path,
    kind,
    exec: (Number.parseInt(mode, 8) & 0o100) !== 0,
    bytes: Number(size),
    target,
    stamp: `${inode} ${size} ${written} ${changed}`,
    changed: Number(changed),
  };
}

function ruleOf(line: string): [string, string] {
  const [path = '', text = ''] = line.split(' ');
  return [decoded(path), decoded(text)];
}

const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');
