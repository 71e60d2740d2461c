// Executions whose journal could not be written (a full disk, a database locked from outside) stay open as recorded. They go on by
// themselves once it can be written again, not only in the next host.
import { JournalFault } from './asl/errors.ts';
import type { AslRunner, ExecutionName } from './asl/runner.ts';

/** Long enough not to hammer a full disk, short enough for a person who has just freed some space. */
const PAUSE_MS = 5000;

export interface ResumeLater {
  /** The runner's `onSuspended`: anything but an unwritable journal will not get better by waiting. */
  suspended(execution: ExecutionName, reason: unknown): void;
  stop(): void;
}

/** `runner` is asked for when it is needed, because runner and listener know each other. */
export const resumeLater = (runner: () => AslRunner, pause = PAUSE_MS): ResumeLater => {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const later = (): void => {
    if (isOver) return;
    timer ??= setTimeout(again, pause);
    timer.unref();
  };
  const again = (): void => {
    timer = undefined;
    try {
      runner().resume();
    } catch {
      later();
    }
  };
  return {
    suspended: ({ machine, name }, reason) => {
      if (isOver) return;
      process.stderr.write(`${machine} ${name} cannot go on: ${String(reason)}\n`);
      if (reason instanceof JournalFault) later();
    },
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
};
