// `fetch` for URLs that somebody gave us: each hop is checked, redirects included, and credentials never follow one to another origin.
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { checkedLookup, checkUrl, NetRefused, type NetRules, type Resolve } from './guard.ts';

/** What a request is made of, as the callers of `fetch` here use it: a body is text or bytes. */
export interface GuardedInit {
  method?: string | undefined;
  headers?: ConstructorParameters<typeof Headers>[0];
  body?: unknown;
  signal?: AbortSignal | null | undefined;
}

export type GuardedFetch = (url: string | URL, init?: GuardedInit) => Promise<Response>;

export interface GuardOptions {
  rules: NetRules;
  resolve?: Resolve;
  /** For tests with a server of their own: certificates that are believed. */
  ca?: string;
}

const MOST_REDIRECTS = 5;
/** No answer within this long is none; a stream may then go on for as long as it likes. */
const ANSWER_MS = 30_000;
/** Headers that a redirect to the same origin may keep and one to another may not: everything but these few goes. */
const HARMLESS = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

interface Hop {
  url: URL;
  method: string;
  headers: Headers;
  body: string | Uint8Array | undefined;
  signal: AbortSignal | undefined;
}

/** @throws NetRefused from the promise, before anything is sent to where it may not go. */
export const guardedFetch =
  (options: GuardOptions): GuardedFetch =>
  async (url, init = {}) => {
    let hop = hopOf(url, init);
    for (let left = MOST_REDIRECTS; left >= 0; left -= 1) {
      checkUrl(hop.url, options.rules);
      const message = await send(hop, options);
      const location = message.headers.location;
      if (!isRedirect(message.statusCode ?? 0) || location === undefined) return responseOf(message, hop.url);
      message.destroy();
      hop = redirected(hop, new URL(location, hop.url), message.statusCode ?? 302);
    }
    throw new NetRefused(`more than ${MOST_REDIRECTS} redirects`);
  };

const hopOf = (url: string | URL, { method = 'GET', headers, body, signal }: GuardedInit): Hop => {
  if (body != null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new NetRefused('only text and bytes are sent');
  }
  return {
    url: new URL(url),
    method,
    headers: new Headers(headers),
    body: body ?? undefined,
    signal: signal ?? undefined,
  };
};

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** As `fetch` does it: 303, and a POST that is moved, become a GET without a body. */
const redirected = (hop: Hop, url: URL, status: number): Hop => {
  const headers = url.origin === hop.url.origin ? hop.headers : harmless(hop.headers);
  const becomesGet = status === 303 || (hop.method === 'POST' && status < 303);
  return becomesGet ? { ...hop, url, headers, method: 'GET', body: undefined } : { ...hop, url, headers };
};

const harmless = (headers: Headers): Headers => new Headers([...headers].filter(([name]) => HARMLESS.has(name)));

const send = (
  { url, method, headers, body, signal }: Hop,
  { rules, resolve, ca }: GuardOptions,
): Promise<IncomingMessage> =>
  new Promise((done, failed) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method,
      headers: Object.fromEntries(headers),
      lookup: checkedLookup(rules, resolve),
      // A pooled connection may have been opened under other rules.
      agent: false,
      ...(signal === undefined ? {} : { signal }),
      ...(ca === undefined ? {} : { ca }),
    });
    const timer = setTimeout(() => request.destroy(new Error(`no answer within ${ANSWER_MS} ms`)), ANSWER_MS);
    request.once('close', () => clearTimeout(timer));
    request.once('error', failed);
    request.once('response', (message) => {
      clearTimeout(timer);
      done(message);
    });
    request.end(body);
  });

const responseOf = (message: IncomingMessage, url: URL): Response => {
  const status = message.statusCode ?? 500;
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headersDistinct)) {
    for (const one of value ?? []) headers.append(name, one);
  }
  const isEmpty = [101, 204, 205, 304].includes(status);
  const response = new Response(isEmpty ? null : bodyOf(message), { status, headers });
  Object.defineProperty(response, 'url', { value: url.href });
  return response;
};

const bodyOf = (message: IncomingMessage): ReadableStream<Uint8Array> => {
  const pieces: AsyncIterator<Uint8Array> = message[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const piece = await pieces.next();
      if (piece.done === true) controller.close();
      else controller.enqueue(new Uint8Array(piece.value));
    },
    cancel: () => void message.destroy(),
  });
};
