// ACP over real transports: the official SDK's streams as raw wires, so that what is tested is carried by somebody else's code.
import { type ChildProcess, spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { createHttpStream } from '@agentclientprotocol/sdk/experimental/http-client';
import { createWebSocketStream } from '@agentclientprotocol/sdk/experimental/ws-client';
import WebSocket from 'ws';
import { homeFront, type LocalServer, startServer } from '#local/server.ts';
import type { Wire } from './acp.ts';
import { checker, type Sent } from './acp-schema.ts';
import { OWNER, type TestDoor } from './door.ts';

export const TOKEN = 'a-token-of-this-test';

/** A server on a test's door, as the embedded host starts it. */
export const serve = (at: TestDoor): Promise<LocalServer> =>
  startServer({ principal: OWNER, door: at.door, follow: at.house.follow }, homeFront(TOKEN, OWNER));

/** Messages both ways, as the SDK has them. */
export interface AcpStream {
  readable: ReadableStream;
  writable: WritableStream;
}

export type Transport = 'stdio' | 'websocket' | 'http';

/** Opens a stream of the SDK to a server; `end` ends it and what it started. */
export const openStream = (
  transport: Transport,
  port: number,
  token = TOKEN,
): { stream: AcpStream; end(): Promise<void> } => {
  const headers = { authorization: `Bearer ${token}` };
  if (transport === 'stdio') return overStdio(`ws://127.0.0.1:${port}/acp`);
  const stream: AcpStream =
    transport === 'http'
      ? createHttpStream(`http://127.0.0.1:${port}/acp`, { headers })
      : createWebSocketStream(`ws://127.0.0.1:${port}/acp`, { headers, WebSocket: WebSocket as never });
  return { stream, end: async () => void (await stream.writable.close().catch(() => undefined)) };
};

const PROGRAM = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

/** `hca acp` as an editor starts it. */
export const startAcp = (args: string[], env: NodeJS.ProcessEnv): ChildProcess =>
  spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, 'acp', ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });

export const streamOf = ({ stdin, stdout }: ChildProcess): AcpStream => {
  if (!(stdin instanceof Writable) || !(stdout instanceof Readable)) throw new Error('no pipes');
  return ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout) as ReadableStream<Uint8Array>);
};

const overStdio = (endpoint: string): { stream: AcpStream; end(): Promise<void> } => {
  const child = startAcp(['--endpoint', endpoint, '--on-host'], { HCA_TOKEN: TOKEN });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stream = streamOf(child);
  return {
    stream,
    end: async () => {
      child.stdin?.end();
      await exited;
    },
  };
};

/** A stream of the SDK as a wire: what comes is checked, kept, and waited for without polling. */
export const wireOf = ({ readable, writable }: AcpStream): Wire => {
  const sent: Sent[] = [];
  const check = checker();
  const writer = writable.getWriter();
  const waiting = new Set<() => void>();
  void (async () => {
    for await (const frame of readable) {
      sent.push(check.incoming(frame));
      for (const wake of waiting) wake();
    }
  })().catch(() => undefined);
  const until = async (match: (frame: Sent) => boolean): Promise<Sent> => {
    const found = sent.find(match);
    if (found !== undefined) return found;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        if (!sent.some(match)) return;
        waiting.delete(wake);
        resolve();
      };
      waiting.add(wake);
    });
    return until(match);
  };
  return {
    sent,
    until,
    send: async (frame) => {
      check.outgoing(frame);
      await writer.write(frame);
    },
    quiet: async () => undefined,
  };
};
