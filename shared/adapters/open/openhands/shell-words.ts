// Words of `/bin/sh`: quoting what people and models wrote, and the first lines that every script of a session shares.
import { HcaFault } from '#shared/contracts/errors.ts';

/** One word, whatever is in it. @throws HcaFault HcaBadInput naming `field` for a NUL, which no argument can hold */
export function quoted(text: string, field = 'command'): string {
  if (!text.includes('\0')) return `'${text.replaceAll("'", `'\\''`)}'`;
  throw new HcaFault('HcaBadInput', { message: `the ${field} holds a NUL character`, field });
}

/**
 * `S` is the session's folder, `W` the real path of its files. A session that is not there says `gone` and ends with success:
 * scripts answer in words, so that any other exit code is the server's or the shell's own failure.
 */
export const within = (session: string, script: string): string =>
  `S=${quoted(session)}\n[ -e "$S/session.json" ] || { echo gone; exit 0; }\nW=$(cd -P -- "$S/work" && pwd -P) || { echo gone; exit 0; }\n${script}`;

/**
 * Sets `at` to the real path of a path of the session, every link on the way followed; one that leads out says `out`.
 * `realpath` leaves a link that goes in circles as it is. The mark keeps a line break at the end of a name.
 */
export const resolving = (path: string): string => `at=$(realpath -m -- "$W"/${quoted(path, 'path')} && printf x)
at=\${at%?x}
case "$at" in "$W"/*) ;; *) echo out; exit 0;; esac
[ -L "$at" ] && { echo out; exit 0; }
`;

/** Kills every process that carries the session's mark, also one that left its group; a process may fork meanwhile, so thrice. */
export const REAP = `for n in 1 2 3; do
  p=$(grep -lzxF "HCA_WORK=$S" /proc/[0-9]*/environ 2>/dev/null | tr -dc '0-9\\n')
  [ -n "$p" ] || break
  kill -9 $p 2>/dev/null
done
`;

/** Ends what runs: each command has a pipe that ends it, and holds it open itself, so writing never blocks. */
export const STOP = `for f in "$S"/runs/*/stop; do [ -p "$f" ] && echo x 1<>"$f"; done
${REAP}`;
