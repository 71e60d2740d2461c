// Optimistic writing: read, decide, write on what was read; and again when somebody else was faster.
import { setTimeout as pause } from 'node:timers/promises';
import { HcaFault } from '#shared/contracts/errors.ts';

/**
 * How often it is tried. Of those that race one always wins, and the pauses spread 40 so that the last comes through in ten or so. After more it is a fault
 * that a machine retries.
 */
const TRIES = 30;
/** Longest pause before the second try, in ms: doubled with each up to 16 times, so that 40 rivals soon come one after the other. */
const PAUSE_MS = 20;
const DOUBLINGS = 4;

/** Tries until it comes through without a rival; an attempt that met one answers undefined. @throws HcaFault HcaConflict */
export const untilAlone = async <T>(what: string, attempt: () => Promise<T | undefined>): Promise<T> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (tries > 0) await pause(Math.random() * PAUSE_MS * 2 ** Math.min(tries - 1, DOUBLINGS));
    const answer = await attempt();
    if (answer !== undefined) return answer;
  }
  throw new HcaFault('HcaConflict', { message: `${what} was written by others ${TRIES} times in a row` });
};
