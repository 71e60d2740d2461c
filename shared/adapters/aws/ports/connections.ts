// The other side of open WebSockets; the client is loaded when something is sent.
import { VARIABLES } from '#shared/contracts/storage.ts';
import type { Connections } from '#shared/ports/watchers.ts';
import { type Build, variable } from './environment.ts';

export const connections: Build<Connections> = (variables) => {
  variable(variables, VARIABLES.connections);
  let loaded: Promise<Connections> | undefined;
  const open = (): Promise<Connections> => {
    loaded ??= import('./gateway-address.ts').then(({ openConnections }) => openConnections(variables));
    return loaded;
  };
  return {
    push: async (socket, text) => (await open()).push(socket, text),
    end: async (socket) => (await open()).end(socket),
  };
};
