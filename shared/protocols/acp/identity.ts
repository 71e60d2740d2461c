// What we answer to `initialize`: who we are and what we can do (INIT-001 to INIT-004, EXT).
import { METHODS } from '#shared/contracts/acp.ts';
import { type InitializeResponse, PROTOCOL_VERSION } from './wire.ts';

/** The only way in: the transport has proved the token already. */
export const AUTH_METHOD = 'host-token';

/** Our own version whatever was asked, never an echo and never an error. */
export const identity = (host: { version: string; spec: string }, rootHolonId: string): InitializeResponse => ({
  protocolVersion: PROTOCOL_VERSION,
  agentInfo: { name: 'hca', title: 'hca', version: host.version },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: false, audio: false, embeddedContext: false },
    mcpCapabilities: { http: true, sse: false },
    sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    _meta: { hca: { spec: host.spec, level: 3, rootHolonId, methods: Object.keys(METHODS) } },
  },
  authMethods: [
    {
      id: AUTH_METHOD,
      name: 'Token of this host',
      description:
        'Already shown with the connection; nothing to do. One that ends is replaced by a fresh one in _meta.hca.token.',
    },
  ],
});
