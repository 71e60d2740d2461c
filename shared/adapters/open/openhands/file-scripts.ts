// Single files of a remote session: where a path really is, putting a file in its place, removing one. The answer is one word, then details.
import { posix } from 'node:path';
import { HcaFault } from '#shared/contracts/errors.ts';
import { WorkspacePath } from '#shared/contracts/workspace.ts';
import { quoted, resolving, within } from './shell-words.ts';

/** The same path without `./`, doubled or trailing slashes. @throws HcaFault HcaBadInput naming `field` for one that is not inside */
export function insidePath(given: string, field: 'path' | 'cwd' = 'path'): string {
  const plain = given === '' && field === 'cwd' ? '.' : posix.normalize(given).replace(/(?<=.)\/$/, '');
  if ((plain === '.' && field === 'cwd') || (given !== '' && WorkspacePath.safeParse(plain).success)) return plain;
  throw refusedPath(given, field, 'it must be relative, without ".." or empty parts');
}

export function refusedPath(path: string, field: 'path' | 'cwd', why: string): HcaFault {
  const message = `the path "${path.slice(0, 200)}" is refused: ${why}`;
  return new HcaFault('HcaBadInput', { message, field, remedy: 'Use a path inside the workspace.' });
}

/** Says `file`, its size and its place relative to the session's files in base64, or `none`. */
export const findScript = (session: string, path: string): string =>
  within(
    session,
    `${resolving(path)}[ -f "$at" ] || { echo none; exit 0; }\necho file\nstat -c %s -- "$at"\nprintf %s "\${at#"$W"/}" | base64 -w0\n`,
  );

/** Moves what was uploaded to `from` (absolute) into place, whole or not at all; a file that may be executed stays one. Says `done` or why not. */
export const placeScript = (session: string, path: string, from: string): string =>
  within(
    session,
    `from=${quoted(from)}
trap 'rm -f -- "$from"' EXIT
${resolving(path)}[ -d "$at" ] && { echo folder; exit 0; }
mode=644; [ -f "$at" ] && [ -x "$at" ] && mode=755
mkdir -p -- "$(dirname -- "$at")" 2>/dev/null || { echo blocked; exit 0; }
chmod $mode "$from" && mv -fT -- "$from" "$at" && echo done
`,
  );

/** The last part of the path is removed as it is, a link included. Says `yes` when something was there, else `no`. */
export function removeScript(session: string, path: string): string {
  const [folder, name] = [posix.dirname(path), posix.basename(path)];
  const place = folder === '.' ? 'at=$W\n' : resolving(folder);
  return within(
    session,
    `${place}f="$at"/${quoted(name, 'path')}
if [ -e "$f" ] || [ -L "$f" ]; then echo yes; rm -rf -- "$f"; else echo no; fi
`,
  );
}

/** True when every part of the path leads inside; a path that does not, says `out`. */
export const lookScript = (session: string, path: string): string => within(session, `${resolving(path)}echo in\n`);
