// What a step did, as an annotated part of its invocation's trace: one datagram to the daemon that Lambda runs. Without a daemon, or when a
// trace is not sampled, nothing is sent. (The X-Ray SDK would be a fifth of a bundle.)
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';

/** Ids and words by which a trace is found; never content. */
export type Annotations = Readonly<Record<string, string | number>>;

/** `header` is the invocation's `_X_AMZN_TRACE_ID`, `daemon` its AWS_XRAY_DAEMON_ADDRESS (`host:port`). */
export interface Tracing {
  header: string | undefined;
  daemon: string | undefined;
}

/** Times in ms since the epoch; `fault` is the name of what was thrown. */
export interface Span {
  name: string;
  from: number;
  to: number;
  annotations: Annotations;
  fault: string | null;
}

/** Sends a span; resolves when it was handed to the network, and never rejects. */
export const sendSpan = async ({ header, daemon }: Tracing, span: Span): Promise<void> => {
  const parent = parentOf(header);
  const to = addressOf(daemon);
  if (parent === null || to === null) return;
  await send(`{"format":"json","version":1}\n${JSON.stringify(segmentOf(parent, span))}`, to);
};

/** `Root=1-…;Parent=…;Sampled=1`, or null when there is nothing to belong to. */
const parentOf = (header = ''): { trace: string; parent: string } | null => {
  const trace = /Root=([\w-]+)/.exec(header)?.[1];
  const parent = /Parent=(\w+)/.exec(header)?.[1];
  if (trace === undefined || parent === undefined || !header.includes('Sampled=1')) return null;
  return { trace, parent };
};

const addressOf = (daemon = ''): { host: string; port: number } | null => {
  const [host = '', port = ''] = daemon.split(':');
  return host !== '' && /^\d+$/.test(port) ? { host, port: Number(port) } : null;
};

const segmentOf = ({ trace, parent }: { trace: string; parent: string }, span: Span): object => ({
  type: 'subsegment',
  id: randomBytes(8).toString('hex'),
  trace_id: trace,
  parent_id: parent,
  name: span.name,
  start_time: span.from / 1000,
  end_time: span.to / 1000,
  annotations: span.fault === null ? span.annotations : { ...span.annotations, fault: span.fault },
  ...(span.fault === null ? {} : { fault: true }),
});

const send = (text: string, { host, port }: { host: string; port: number }): Promise<void> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4');
    const done = (): void => {
      socket.close();
      resolve();
    };
    socket.once('error', done);
    socket.send(text, port, host, done);
  });
