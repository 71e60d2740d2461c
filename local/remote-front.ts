// The front for others: tokens of an issuer in place of the home's token file, limits for each person, and only folders that were named.
import { tokenVerifier } from '#functions/authorize/step.ts';
import { Scope } from '#shared/contracts/acp-host.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { LocalDoor } from './door.ts';
import { homeGate, remoteGate } from './gate.ts';
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
    ...(rules === null ? {} : { describes: descriptionOf(options, rules) }),
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
  return { ...local, door: { ...local.door, folders, limits, throttle } };
};

type Rules = NonNullable<RemoteOptions['rules']>;

/** RFC 9728: what `hca login` asks first. */
const descriptionOf = ({ names, tls, client }: RemoteOptions, { issuer, audience, scope_prefix }: Rules): object => ({
  resource: `${tls === null ? 'http' : 'https'}://${names[0] ?? ''}`,
  authorization_servers: [issuer],
  scopes_supported: Scope.options.map((scope) => scope_prefix + scope),
  bearer_methods_supported: ['header'],
  hca_audience: audience,
  ...(client === null ? {} : { hca_client: client }),
});
