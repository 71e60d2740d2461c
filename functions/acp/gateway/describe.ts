// What the door says about who may ask (RFC 9728), to whoever wants to know: `hca login` begins with it.
import { Scope } from '#shared/contracts/acp-host.ts';
import { type GatewayAnswer, type HttpEvent, headerOf } from './events.ts';

/** Whose tokens are taken, made for whom; and where the door's WebSockets are, which have an address of their own. */
export interface Issuing {
  issuer: string;
  audience: string;
  socket: string;
}

/** Where one asks; no token is wanted there. */
const DESCRIPTION = '/.well-known/oauth-protected-resource';

/** Whether a request asks for the description. */
export const asksWho = ({ rawPath, requestContext }: HttpEvent): boolean =>
  requestContext.http.method === 'GET' && rawPath === DESCRIPTION;

/** The description, as `DoorDescription` of the client reads it. */
export const describeDoor = (event: HttpEvent, { issuer, audience, socket }: Issuing): GatewayAnswer => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify({
    resource: `https://${event.requestContext.domainName ?? headerOf(event.headers, 'host') ?? ''}`,
    authorization_servers: [issuer],
    scopes_supported: Scope.options,
    bearer_methods_supported: ['header'],
    hca_audience: audience,
    hca_socket: socket,
  }),
});
