// ACP clients for tests: a raw connection, whatever carries it, and a client on it that asks, tells and looks at what came.
import { type Peer, pump, receive } from '#functions/acp/step.ts';
import type { Principal } from '#shared/contracts/acp-host.ts';
import { readFrame } from '#shared/protocols/acp/frame.ts';
import { checker, type Loose, type Sent } from './acp-schema.ts';
import { OWNER, type TestDoor } from './door.ts';

/** A raw connection, whatever carries it. */
export interface Wire {
  /** Everything that was received, in order. */
  sent: Sent[];
  send(frame: unknown): Promise<void>;
  /** The first message that matches, now or later. */
  until(match: (frame: Sent) => boolean): Promise<Sent>;
  /** Comes back when the other side has nothing more to say by itself. */
  quiet(): Promise<void>;
}

/** A client on a wire: asks, tells, and looks at what came. */
export class TestClient {
  readonly wire: Wire;
  private ids = 0;

  constructor(wire: Wire) {
    this.wire = wire;
  }

  get sent(): Sent[] {
    return this.wire.sent;
  }

  /** Sends a request without waiting for its answer. */
  async begin(method: string, params: unknown): Promise<number> {
    this.ids += 1;
    const id = this.ids;
    await this.wire.send({ jsonrpc: '2.0', id, method, params });
    return id;
  }

  answerTo(id: number | string): Promise<Sent> {
    return this.wire.until((frame) => frame.id === id && frame.method === undefined);
  }

  async ask(method: string, params: unknown): Promise<Sent> {
    return this.answerTo(await this.begin(method, params));
  }

  notify(method: string, params: unknown): Promise<void> {
    return this.wire.send({ jsonrpc: '2.0', method, params });
  }

  reply(to: Sent, result: unknown): Promise<void> {
    return this.wire.send({ jsonrpc: '2.0', id: to.id, result });
  }

  updates(kind?: string): Record<string, Loose>[] {
    return this.sent
      .filter(({ method }) => method === 'session/update')
      .map(({ params }) => params?.update)
      .filter((update) => kind === undefined || update.sessionUpdate === kind);
  }

  async hello(clientCapabilities: object = {}): Promise<Sent> {
    return this.ask('initialize', { protocolVersion: 1, clientCapabilities });
  }

  async newSession(cwd = '/w'): Promise<string> {
    return (await this.ask('session/new', { cwd, mcpServers: [] })).result.sessionId;
  }

  beginPrompt(sessionId: string, text: string): Promise<number> {
    return this.begin('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  }

  async prompt(sessionId: string, text: string): Promise<Sent> {
    return this.answerTo(await this.beginPrompt(sessionId, text));
  }
}

let connections = 0;

/** A wire into a door: nothing is kept between two frames but what the stores hold. */
export const memoryWire = (
  at: TestDoor,
  principal: Principal = OWNER,
  token: Pick<Peer, 'expires_at' | 'verify'> = { expires_at: null },
): Wire & { peer(): Peer; close(): Promise<void> } => {
  connections += 1;
  const connection = `connection-${connections}`;
  const sent: Sent[] = [];
  const check = checker();
  const peer = (): Peer => ({
    connection,
    principal,
    ...token,
    door: at.door,
    send: async (frame) => void sent.push(check.incoming(JSON.parse(JSON.stringify(frame)))),
  });
  const quiet = async (): Promise<void> => {
    await at.house.idle();
    await pump(peer());
  };
  return {
    peer,
    sent,
    quiet,
    send: async (frame) => {
      check.outgoing(frame);
      await receive(readFrame(typeof frame === 'string' ? frame : JSON.stringify(frame)), peer());
      await pump(peer());
    },
    until: async (match) => {
      for (let tries = 0; tries < 20; tries += 1) {
        const found = sent.find(match);
        if (found !== undefined) return found;
        await quiet();
      }
      throw new Error(`it never came; the last was ${JSON.stringify(sent.at(-1)).slice(0, 500)}`);
    },
    close: () => at.door.ports.sessions.disconnect(principal.tenant, connection),
  };
};

/** A client that said hello, with a session. */
export const session = async (at: TestDoor, clientCapabilities: object = {}) => {
  const client = new TestClient(memoryWire(at));
  await client.hello(clientCapabilities);
  const sessionId = await client.newSession();
  return { client, sessionId, prompt: (text: string) => client.prompt(sessionId, text) };
};
