// The front for others: tokens of an issuer in place of the home's token file, limits for each person, and only folders that were named.
import type { DoorPorts } from '#functions/acp/step.ts';
import { tokenVerifier } from '#functions/authorize/step.ts';
import { Scope } from '#shared/contracts/acp-host.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { LocalDoor } from './door.ts';
import { homeGate, remoteGate } from './gate.ts';
import { isOwnHost } from './guard.ts';
import { readLimits } from './limits.ts';
import type { RemoteOptions } from './remote-options.ts';
import { type Front, type LocalServer, startServer } from './server.ts';
import { throttleOf } from './throttle.ts';

/** `listens`: where it can be found, for a person. */
export type RemoteServer = LocalServer & { listens: string };

/** Listens for others. @throws HcaFault HcaUnavailable when it cannot listen there, HcaBadInput for limits that are none */
export const startRemote = async (local: LocalDoor, options: RemoteOptions, token: string): Promise<RemoteServer> => {
  const { host, port, rules, tls } = options;
  const front: Front = {
    host,
    port,
    gate: (own) =>
      rules === null ? homeGate(token, local.principal, own) : remoteGate({ ...options, verify: tokenVerifier(rules) }),
    ...(tls === null ? {} : { tls }),
    ...(rules === null ? {} : { describes: (called: string) => descriptionOf(options, rules, called) }),
  };
  const door = rules === null ? local : forOthers(local, options);
  try {
    const server = await startServer(door, front);
    return { ...server, listens: listensAt(options, server.port) };
  } catch (cause) {
    throw new HcaFault('HcaUnavailable', {
      message: `it cannot listen on ${host}:${port}: ${cause instanceof Error ? cause.message : String(cause)}`,
      field: '--listen',
      remedy: 'choose another address or port, and check certificate and key',
      retryable: false,
      cause,
    });
  }
};

const listensAt = ({ host, names, tls }: RemoteOptions, port: number): string => {
  const shown = names.length > 0 && host !== names[0] ? ` for ${names.join(', ')}` : '';
  return `${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}${shown}`;
};

const forOthers = (local: LocalDoor, { folders }: RemoteOptions): LocalDoor => {
  const limits = readLimits(process.env);
  const throttle = throttleOf(limits, () => local.door.ports.clock.now());
  const { host } = local.door;
  return { ...local, door: { ...local.door, host: hostOf(host), folders, limits, throttle } };
};

/** Where the home is on its machine is nothing to people elsewhere. Read when it is asked for: the host adds where it listens. */
const hostOf = (host: DoorPorts['host']): DoorPorts['host'] => ({
  ...host,
  get identity() {
    const { home: _, ...told } = host.identity;
    return told;
  },
});

type Rules = NonNullable<RemoteOptions['rules']>;

/** RFC 9728: what `hca login` asks first. `called`: the host's name and port as the one who asks has them; a proxy may have another port than we listen on. */
const descriptionOf = (
  { tls, client }: RemoteOptions,
  { issuer, audience, scope_prefix }: Rules,
  called: string,
): object => ({
  // Without TLS of our own a proxy has it, unless it is this machine that asks.
  resource: `${tls === null && isOwnHost(called) ? 'http' : 'https'}://${called}`,
  authorization_servers: [issuer],
  scopes_supported: Scope.options.map((scope) => scope_prefix + scope),
  bearer_methods_supported: ['header'],
  hca_audience: audience,
  ...(client === null ? {} : { hca_client: client }),
});
