// The device flow (RFC 8628): a code is shown, a person confirms it in any browser, and the command that waited has its token.
import * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';
import { type IssuerDescription, postForm, type TokenSet, tokensIn } from './oauth.ts';

/** What is asked for, and for whom. */
export interface DeviceRequest {
  client_id: string;
  scope: string;
  audience?: string;
}

/** What a person is shown. `interval` and `expires_in` in seconds. */
export const DeviceCode = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.url({ protocol: /^https?$/ }),
  verification_uri_complete: z.url({ protocol: /^https?$/ }).optional(),
  expires_in: z.coerce.number().default(600),
  interval: z.coerce.number().default(5),
});
export type DeviceCode = z.infer<typeof DeviceCode>;

/** Begins. @throws HcaFault HcaRefused when the issuer offers no such flow, or not to this client */
export const beginDevice = async (issuer: IssuerDescription, asked: DeviceRequest): Promise<DeviceCode> => {
  const { issuer: name, device_authorization_endpoint } = issuer;
  if (device_authorization_endpoint === undefined) throw refused(`${name} offers no login with a code`);
  const { audience, ...form } = asked;
  const { ok, body } = await postForm(device_authorization_endpoint, {
    ...form,
    ...(audience === undefined ? {} : { audience }),
  });
  const code = DeviceCode.safeParse(body);
  if (ok && code.success) return code.data;
  throw refused(`${name} gives no code to the client "${asked.client_id}": ${wordOf(body)}`);
};

/** Waits until the person has confirmed. `wait`: rests for so many ms. @throws HcaFault HcaRefused when they did not */
export const awaitDevice = async (
  issuer: IssuerDescription,
  { code, client_id }: { code: DeviceCode; client_id: string },
  wait: (ms: number) => Promise<void>,
): Promise<TokenSet> => {
  const until = Date.now() + code.expires_in * 1000;
  const form = { grant_type: GRANT, device_code: code.device_code, client_id };
  let interval = code.interval;
  while (Date.now() < until) {
    await wait(interval * 1000);
    const { ok, body } = await postForm(issuer.token_endpoint, form);
    if (ok) return tokensIn(body);
    interval += slower(wordOf(body));
  }
  throw refused(ENDS.expired_token ?? '');
};

/** By how many seconds to wait longer. @throws HcaFault HcaRefused when waiting leads nowhere */
const slower = (word: string): number => {
  if (word === 'slow_down') return 5;
  if (word === 'authorization_pending') return 0;
  throw refused(ENDS[word] ?? `the issuer says ${word}`);
};

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

const ENDS: Readonly<Record<string, string>> = {
  access_denied: 'the login was refused in the browser',
  expired_token: 'nobody confirmed the code in time',
};

const wordOf = ({ error }: Record<string, unknown>): string =>
  typeof error === 'string' ? error.slice(0, 100) : 'nothing';

const refused = (message: string): HcaFault =>
  new HcaFault('HcaRefused', {
    message,
    field: 'login',
    remedy: 'try again, or get a token in another way and give it with --token-file or --token-stdin',
  });
