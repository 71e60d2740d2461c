// A host that nobody uses ends by itself: no open task, no connection, no request for a while (architecture 9).
import type { Ports } from '#shared/ports/index.ts';
import { TENANT } from './door.ts';

export interface IdleOptions {
  /** Minutes without anything; 0 is never. */
  minutes: number;
  ports: Pick<Ports, 'tasks'>;
  activity(): { sockets: number; last: number };
  stop(): void;
}

/** Looks ten times per span, so that a host outlives its last use by at most a tenth more. */
const LOOKS = 10;

/** Begins to look. */
export const whenIdle = (options: IdleOptions): void => {
  const span = options.minutes * 60_000;
  if (span === 0) return;
  const timer = setInterval(() => {
    void isIdle(options, span).then((idle) => {
      if (idle) options.stop();
    });
  }, span / LOOKS);
  timer.unref();
};

/** Whether nothing has been going on for the span, in ms. */
export const isIdle = async (options: Omit<IdleOptions, 'stop' | 'minutes'>, span: number): Promise<boolean> => {
  const { sockets, last } = options.activity();
  if (sockets > 0 || Date.now() - last < span) return false;
  return (await options.ports.tasks.roots(TENANT, { limit: 1, open: true })).length === 0;
};
