// A service of the endpoint asked by hand, where nothing of the product needs its client.
import { signedHeaders } from '#shared/client/sigv4.ts';

export interface Asked {
  url: string;
  body: string;
  headers?: Record<string, string>;
}

const KEYS = { access_key: 'test', secret_key: 'test', session_token: null };

/** Posts and answers with the parsed body. No emulator checks what is signed, so the headers need not all be. @throws Error with the answer that is no success */
export const askSigned = async (service: string, { url, body, headers = {} }: Asked): Promise<unknown> => {
  const scope = { region: 'us-east-1', service };
  const { host: _host, ...signed } = await signedHeaders({ url, body, scope, now: new Date() }, KEYS);
  const answer = await fetch(url, { method: 'POST', headers: { ...signed, ...headers }, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${service}: ${answer.status} ${text}`);
  return JSON.parse(text);
};
