// One agent-server for all sessions, given by its address: self-hosted, or the one that stands in on the emulator.
import type { AgentServer, AgentServers } from '#shared/ports/agent-servers.ts';

/** It is nobody's in particular, so nothing is started or ended. */
export const oneServer = (server: AgentServer): AgentServers => ({
  claim: async () => server,
  find: async () => server,
  release: async () => undefined,
  all: async () => [server],
});
