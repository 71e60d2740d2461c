// A host elsewhere, as `--endpoint` or HCA_ENDPOINT names it, and the login that is stored for it.
import { type DoorAddress, endpointOf } from '#shared/client/address.ts';
import { fixedToken } from '#shared/client/proof.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { readLogins } from './credentials.ts';
import { type LoginPlace, proofOf } from './login-proof.ts';

/** The address that was given, checked. @throws HcaFault HcaBadInput */
export const readEndpoint = (given: string): Pick<DoorAddress, 'url' | 'socket'> => {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url !== undefined && `${url.username}${url.password}` !== '') {
    throw new HcaFault('HcaBadInput', {
      message: 'the address of the host holds a credential',
      field: '--endpoint',
      remedy: 'leave it out, and log in: hca login --endpoint …',
    });
  }
  if (/^(wss?|https?):$/.test(url?.protocol ?? '')) return endpointOf(given);
  throw new HcaFault('HcaBadInput', {
    message: `"${given}" is no address of a host`,
    field: '--endpoint',
    remedy: 'give something like wss://hca.example.org/acp',
  });
};

/** Where it is and how to get in: with $HCA_TOKEN if set, else with the stored login. @throws HcaFault HcaBadInput, HcaUnauthenticated */
export const remoteAddress = (place: LoginPlace, given: string): DoorAddress => {
  const address = readEndpoint(given);
  if (place.env.HCA_TOKEN) return { ...address, proof: fixedToken(place.env.HCA_TOKEN) };
  const login = readLogins(place.home)[address.url];
  if (login !== undefined) return { url: login.url, socket: login.socket, proof: proofOf(place, login) };
  throw new HcaFault('HcaUnauthenticated', {
    message: `you are not logged in at ${address.url}`,
    field: 'login',
    remedy: `hca login --endpoint ${given}, or set HCA_TOKEN to a token of that host`,
  });
};
