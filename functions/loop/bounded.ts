// Work on text that a workspace and a person wrote together (a pattern, a schema) ends in bounded time: one bad pattern must not stop the host.
import { createContext, Script } from 'node:vm';

/** A pattern that is any good is done in milliseconds, on a file of the largest size that is read. */
const MOST_MS = 1000;

/** One context for all: making one costs more than all else a step does. Nothing runs in it but the call itself. */
const CALL = new Script('keep()');
const desk: { keep: () => void } = { keep: () => undefined };
const CONTEXT = createContext(desk);

/** What the work gives, or undefined when it did not end in time; the engine stops it, also within one regular expression. */
export const bounded = <T extends object>(work: () => T, most = MOST_MS): T | undefined => {
  const kept: { outcome?: T } = {};
  desk.keep = () => {
    kept.outcome = work();
  };
  try {
    CALL.runInContext(CONTEXT, { timeout: most });
  } catch (caught) {
    if (!isLate(caught)) throw caught;
  } finally {
    desk.keep = () => undefined;
  }
  return kept.outcome;
};

/** Made in the other context, so it is no Error of this one. */
const isLate = (caught: unknown): boolean =>
  typeof caught === 'object' && caught !== null && 'code' in caught && caught.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
