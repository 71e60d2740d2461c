// What a suite is given: a fresh store behind the ports it names, and how to close it.
import type { Ports } from '#shared/ports/index.ts';

export type Opened<P extends keyof Ports> = Pick<Ports, P> & { close(): Promise<void> };
