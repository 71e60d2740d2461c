// Fronts for others on a house in memory, with an issuer whose tokens they take.
import { type RemoteServer, startRemote } from '#local/remote-front.ts';
import { remoteOptions } from '#local/remote-options.ts';
import { OWNER, type TestDoor, testDoor } from './door.ts';
import { AUDIENCE, type Issuer, startIssuer } from './issuer.ts';

export interface RemoteFronts {
  issuer: Issuer;
  at: TestDoor;
  /** One more, on a free port of loopback; `more`: options of `hca up`. */
  open(more?: Record<string, string>): Promise<RemoteServer>;
  close(): Promise<void>;
}

export const remoteFronts = async (): Promise<RemoteFronts> => {
  const issuer = await startIssuer();
  const at = await testDoor();
  const servers: RemoteServer[] = [];
  return {
    issuer,
    at,
    open: async (more = {}) => {
      const options = remoteOptions({ listen: '127.0.0.1:0', issuer: issuer.url, audience: AUDIENCE, ...more });
      if (options === undefined) throw new Error('no options');
      const local = { principal: OWNER, door: at.door, follow: at.house.follow };
      const server = await startRemote(local, options, 'token-of-the-home');
      servers.push(server);
      return server;
    },
    close: async () => {
      for (const server of servers) await server.close();
      await at.close();
      await issuer.close();
    },
  };
};
