// Sessions on the agent-server of this deployment. Loaded with the first call: most invocations need no session, and start without it.
import type { Sandbox } from '#shared/ports/sandbox.ts';
import type { Build } from './environment.ts';

export const sandbox: Build<Sandbox> = (variables) => {
  let loaded: Promise<Sandbox> | undefined;
  const place = (): Promise<Sandbox> => {
    loaded ??= import('./agent-server.ts').then(({ agentServer }) => agentServer(variables));
    return loaded;
  };
  return {
    open: async (request) => (await place()).open(request),
    run: async (id, request) => (await place()).run(id, request),
    spawn: async (id, request) => (await place()).spawn(id, request),
    read: async (id, path) => (await place()).read(id, path),
    write: async (id, path, content) => (await place()).write(id, path, content),
    remove: async (id, path) => (await place()).remove(id, path),
    list: async (id, path) => (await place()).list(id, path),
    snapshot: async (id) => (await place()).snapshot(id),
    restore: async (id, tree) => (await place()).restore(id, tree),
    archive: async (id) => (await place()).archive(id),
    interrupt: async (id) => (await place()).interrupt(id),
    close: async (id) => (await place()).close(id),
    sweep: async (alive) => (await place()).sweep(alive),
  };
};
