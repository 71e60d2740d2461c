// `initialize` and `authenticate`: who speaks, and what both sides can do.
import { HcaFault } from '#shared/contracts/errors.ts';
import { AUTH_METHOD, identity } from '#shared/protocols/acp/identity.ts';
import type { Authenticate, Initialize } from '#shared/protocols/acp/params.ts';
import type { Peer } from './peer.ts';

/** Stores the connection with what its client offers; saying it again replaces that. */
export const greet = async (given: Initialize, peer: Peer): Promise<object> => {
  const { principal, door, connection } = peer;
  const { tenant, subject } = principal;
  const fs = given.clientCapabilities?.fs;
  await door.ports.sessions.connect({
    tenant,
    subject,
    id: connection,
    client: given.clientInfo?.name ?? 'unknown',
    reads: fs?.readTextFile === true,
    writes: fs?.writeTextFile === true,
    opened_at: door.ports.clock.now(),
  });
  const root = (await door.ports.holons.all(tenant)).find((card) => card.role === 'root');
  return identity(door.host.identity, root?.id ?? 'root');
};

/** The transport has let this client in already. @throws HcaFault HcaBadInput for a method that was not announced. */
export const authenticate = async ({ methodId }: Authenticate): Promise<object> => {
  if (methodId === AUTH_METHOD) return {};
  throw new HcaFault('HcaBadInput', {
    message: `there is no way to authenticate called "${methodId}"`,
    field: 'methodId',
    remedy: `use ${AUTH_METHOD}`,
  });
};
