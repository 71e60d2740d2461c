// What the two machines of a task have apart: how an iteration comes to its review. Everything else both walk alike.
import { LATER, type NamedPath, plans, says } from './path.ts';

export interface Body {
  machine: 'leaf' | 'coordinator';
  /** Moves up to the reviews of so many iterations. */
  done(iterations?: number, deadline?: unknown): NamedPath['script'];
  /** States of one iteration before its review. */
  walk: string;
  /** What a holon of this kind may become. */
  other: string;
}

const times = <T>(count: number, move: T): T[] => Array.from({ length: count }, () => move);

export const LEAF: Body = {
  machine: 'leaf',
  done: (iterations = 1, deadline = LATER) => ({
    plan: times(iterations, plans('leaf', { deadline })),
    work: times(iterations, says('done')),
  }),
  walk: 'Plan Work',
  other: 'coordinator',
};

/** Waves of nobody: those with children are in coordinator.ts. */
export const COORDINATOR: Body = {
  machine: 'coordinator',
  done: (iterations = 1, deadline = LATER) => ({
    plan: times(iterations, plans('coordinator', { deadline })),
    collect: times(iterations, says('review', { wave: [] })),
  }),
  walk: 'Plan Wave Collect',
  other: 'leaf',
};

export const BODIES: readonly Body[] = [LEAF, COORDINATOR];
