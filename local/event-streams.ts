// Server-sent events of one ACP connection: a stream for itself and one for each session. What comes before its stream is open waits for it.
import type { ServerResponse } from 'node:http';

export interface EventStreams {
  /** Resolves when the frame was handed to the network, or waits for its stream. */
  send(frame: object, session: string | null): Promise<void>;
  open(session: string | null, response: ServerResponse): void;
  close(): void;
}

export interface EventStreamOptions {
  /** A client that opens no stream of its own within this long (ms) has gone, and so has one that closes it: there is no reconnecting. */
  alone: number;
  abandoned(): void;
}

/** Proxies and clients drop streams on which nothing comes. */
const PING_MS = 20_000;
/** Frames that wait for a stream; a client that opens none and asks on is cut off. */
const MOST_WAITING = 2000;

/** The stream of the connection itself. */
const OWN = '';

export const eventStreams = ({ alone, abandoned }: EventStreamOptions): EventStreams => {
  const open = new Map<string, ServerResponse>();
  const waiting = new Map<string, string[]>();
  const patience = setTimeout(abandoned, alone).unref();
  const ping = setInterval(() => {
    for (const response of open.values()) response.write(': still here\n\n');
  }, PING_MS).unref();
  const left = (key: string, response: ServerResponse): void => {
    if (open.get(key) !== response) return;
    open.delete(key);
    if (key === OWN) abandoned();
  };
  return {
    send: async (frame, session) => {
      const key = session ?? OWN;
      const event = `data: ${JSON.stringify(frame)}\n\n`;
      const response = open.get(key);
      if (response !== undefined) return write(response, event);
      const kept = waiting.get(key) ?? [];
      waiting.set(key, [...kept, event]);
      if (kept.length >= MOST_WAITING) abandoned();
    },
    open: (session, response) => {
      const key = session ?? OWN;
      if (key === OWN) clearTimeout(patience);
      open.get(key)?.end();
      open.set(key, response);
      response.once('close', () => left(key, response));
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.flushHeaders();
      for (const event of waiting.get(key) ?? []) response.write(event);
      waiting.delete(key);
    },
    close: () => {
      clearTimeout(patience);
      clearInterval(ping);
      const responses = [...open.values()];
      open.clear();
      for (const response of responses) response.end();
    },
  };
};

/** A stream that is closed under a write never says so to that write. */
const write = (response: ServerResponse, event: string): Promise<void> =>
  new Promise((resolve) => {
    if (response.destroyed) return resolve();
    response.once('close', resolve);
    response.write(event, () => {
      response.off('close', resolve);
      resolve();
    });
  });
