// The clock of a function, and ULIDs that grow even within one millisecond.
import { monotonicFactory } from 'ulid';
import type { Clock } from '#shared/ports/world.ts';
import type { Build } from './environment.ts';

const next = monotonicFactory();

export const clock: Build<Clock> = () => ({ now: Date.now, ulid: () => next() });
