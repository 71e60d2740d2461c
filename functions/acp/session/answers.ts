// What a client answers to a request of ours: stored once, read by `advance`. An answer to what was never asked, or a second one, is nothing.
import type { AcpRequest } from '#shared/contracts/acp-session.ts';
import type { Peer } from './peer.ts';

export const answered = async (id: string, answer: NonNullable<AcpRequest['answer']>, peer: Peer): Promise<void> => {
  const { sessions } = peer.door.ports;
  const { tenant, scopes } = peer.principal;
  const request = await sessions.request(tenant, id);
  if (request === undefined || request.sent_to !== peer.connection) return;
  const isAllowed = request.method !== 'session/request_permission' || scopes.includes('approve');
  await sessions.answer(tenant, id, isAllowed ? answer : { error: 'this token may not approve' });
};
