// Finds and kills processes of sessions by a mark in their environment, so that even one that left its process group, or
// whose host was killed, is found. Needs /proc; elsewhere the watcher of each group does the work.
import { readdirSync, readFileSync } from 'node:fs';

/** Environment names that every process of a session carries. */
export const MARKS = { sandbox: 'HCA_SANDBOX', session: 'HCA_SESSION', host: 'HCA_HOST' } as const;

export type Mark = { sandbox: string; session: string; host: string };

/** Kills every marked process that `wanted` picks, until none is left (a process may fork while it is looked for). */
export function killMarked(wanted: (mark: Mark) => boolean): number {
  let killed = 0;
  for (let round = 0; round < 10; round += 1) {
    const found = processes().filter(({ mark }) => wanted(mark));
    if (found.length === 0) break;
    for (const { pid } of found) kill(pid);
    killed += found.length;
  }
  return killed;
}

/** Ids of all marked processes that `wanted` picks. */
export function findMarked(wanted: (mark: Mark) => boolean): number[] {
  return processes().flatMap(({ pid, mark }) => (wanted(mark) ? [pid] : []));
}

/** Sends SIGKILL to a process group; one that is gone already is fine. */
export function killGroup(leader: number): void {
  kill(-leader);
}

function processes(): { pid: number; mark: Mark }[] {
  return processIds().flatMap((pid) => {
    const mark = markOf(pid);
    return mark === null || pid === process.pid ? [] : [{ pid, mark }];
  });
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** A dead process that nobody has waited for has no environment, so it is not counted again. */
function markOf(pid: number): Mark | null {
  try {
    const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    const value = (name: string) => lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1);
    const [sandbox, session, host] = [value(MARKS.sandbox), value(MARKS.session), value(MARKS.host)];
    return sandbox === undefined || session === undefined || host === undefined ? null : { sandbox, session, host };
  } catch {
    return null;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime, which is what was wanted.
  }
}
