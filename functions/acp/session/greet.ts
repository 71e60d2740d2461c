// `initialize` and `authenticate`: who speaks, until when, and what both sides can do.
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Identity } from '#shared/contracts/identity.ts';
import { AUTH_METHOD, identity } from '#shared/protocols/acp/identity.ts';
import type { Authenticate, Initialize } from '#shared/protocols/acp/params.ts';
import { admit, renew } from './admit.ts';
import { connectionOf, type Peer } from './peer.ts';

/** Stores the connection with what its client offers; saying it again replaces that. */
export const greet = async (given: Initialize, peer: Peer): Promise<object> => {
  const { principal, door, connection } = peer;
  const { tenant, subject } = principal;
  const fs = given.clientCapabilities?.fs;
  const known = await connectionOf(peer);
  await door.ports.sessions.connect({
    tenant,
    subject,
    id: connection,
    client: given.clientInfo?.name ?? 'unknown',
    reads: fs?.readTextFile === true,
    writes: fs?.writeTextFile === true,
    elicits: given.clientCapabilities?.elicitation?.form != null,
    expires_at: known?.expires_at ?? peer.expires_at ?? null,
    scopes: known?.scopes ?? principal.scopes,
    opened_at: door.ports.clock.now(),
  });
  const root = (await door.ports.holons.all(tenant)).find((card) => card.role === 'root');
  return identity(door.host.identity, root?.id ?? 'root');
};

/**
 * The transport has let this client in already; a fresh token in `_meta.hca.token` takes the place of the one that ends.
 * @throws HcaFault HcaBadInput for a method that was not announced, HcaUnauthenticated, HcaDenied for somebody else's token
 */
export const authenticate = async ({ methodId, _meta }: Authenticate, peer: Peer): Promise<object> => {
  if (methodId !== AUTH_METHOD) throw unknownMethod(methodId);
  const token = _meta?.hca?.token;
  if (token === undefined || peer.verify === undefined) await admit(peer);
  else await renew(peer, samePerson(await peer.verify(token), peer));
  return {};
};

const samePerson = (shown: Identity, { principal }: Peer): Identity => {
  if (shown.principal.tenant === principal.tenant && shown.principal.subject === principal.subject) return shown;
  throw new HcaFault('HcaDenied', {
    message: 'this token is of somebody else',
    field: '_meta.hca.token',
    remedy: 'open a connection of its own for it',
  });
};

const unknownMethod = (methodId: string): HcaFault =>
  new HcaFault('HcaBadInput', {
    message: `there is no way to authenticate called "${methodId}"`,
    field: 'methodId',
    remedy: `use ${AUTH_METHOD}`,
  });
