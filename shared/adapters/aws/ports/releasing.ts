// Tools, for whoever only lets go of them. Connections to the servers of a session are kept by the process that called them, which is never this one,
// and programs that serve it end with the session itself: so there is nothing to do, and nothing to load for it.
import type { Tools } from '#shared/ports/tools.ts';
import type { Build } from './environment.ts';

export const tools: Build<Pick<Tools, 'release'>> = () => ({ release: async () => undefined });
