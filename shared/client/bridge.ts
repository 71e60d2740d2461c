// ACP over stdio as a bridge to a host: a line in is a frame out, a frame in is a line out, and nothing else is ever written to the output
// (TRANSPORT-001). The host may be on this machine or anywhere; a token that ends is shown anew, unseen by the editor.
import { errorFrame, MAX_FRAME, RPC, readFrame } from '#shared/protocols/acp/frame.ts';
import { AUTH_METHOD } from '#shared/protocols/acp/identity.ts';
import { type DoorAddress, unreachable } from './address.ts';
import type { Token } from './proof.ts';

/** Where lines come from and go to; `outgoing` may change one on its way to the host, `incoming` sees what comes from there. */
export interface Lines {
  input: AsyncIterable<string>;
  write(line: string): void;
  outgoing?(line: string): Promise<string>;
  incoming?(text: string): void;
}

/** Carries frames until the input ends. @throws HcaFault HcaUnavailable when the host cannot be reached or goes away. */
export const bridge = async (address: DoorAddress, lines: Lines): Promise<void> => {
  const { url, protocols } = await address.proof.socket(address.socket);
  const shown = await address.proof.token?.();
  const socket = new WebSocket(url, protocols);
  const gone = new Promise<never>((_resolve, reject) => {
    socket.addEventListener('error', (event) => reject(unreachable(address, event)));
    socket.addEventListener('close', () => reject(unreachable(address, 'the connection was closed')));
  });
  const drained = Promise.withResolvers<void>();
  socket.addEventListener('message', ({ data }) => {
    lines.incoming?.(String(data));
    const own = ownAnswer(String(data));
    if (own === LAST.id) drained.resolve();
    else if (own === undefined) lines.write(String(data));
  });
  await Promise.race([gone, opened(socket)]);
  const stop = shown === undefined ? () => undefined : keepFresh(socket, address, shown);
  try {
    await Promise.race([gone, forward(socket, lines)]);
    socket.send(JSON.stringify(LAST));
    await Promise.race([gone, drained.promise]);
  } finally {
    gone.catch(() => undefined);
    stop();
    socket.close();
  }
};

const opened = (socket: WebSocket): Promise<void> =>
  new Promise((resolve) => {
    socket.addEventListener('open', () => resolve());
  });

const forward = async (socket: WebSocket, { input, write, outgoing }: Lines): Promise<void> => {
  for await (const line of input) {
    if (isTooLong(line)) write(JSON.stringify(errorFrame(null, TOO_LONG)));
    else if (line.trim() !== '') socket.send((await outgoing?.(line)) ?? line);
  }
};

/** Longest wait between two looks at the token; a timer cannot wait for longer than 24 days anyway. */
const MOST_MS = 3_600_000;

/** Looks at the token when it is about to end, and shows the host the one that has taken its place. */
const keepFresh = (socket: WebSocket, { proof }: DoorAddress, first: Token): (() => void) => {
  let shown = first;
  const look = async (): Promise<void> => {
    // Who cannot get a fresh token is told by the host, in the answer to the next frame.
    const now = await proof.token?.().catch(() => undefined);
    if (now !== undefined && now.token !== shown.token) {
      shown = now;
      const params = { methodId: AUTH_METHOD, _meta: { hca: { token: now.token } } };
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: `${OURS}token`, method: 'authenticate', params }));
    }
    timer = setTimeout(() => void look(), untilNextLook(shown));
  };
  let timer = setTimeout(() => void look(), untilNextLook(shown));
  return () => clearTimeout(timer);
};

/** A proof gives a fresh token in the last minute of the old one. */
const untilNextLook = ({ expires_at }: Token): number => {
  if (expires_at === null) return MOST_MS;
  return Math.min(MOST_MS, Math.max(1000, expires_at - Date.now() - 30_000));
};

/** Requests of the bridge itself; their answers are nothing to the editor. */
const OURS = 'hca/';
/** Frames are answered in order, so that its answer, whatever it is, comes after that of every frame before it. No prompt is waited for. */
const LAST = { jsonrpc: '2.0', id: `${OURS}end-of-input`, method: 'hca/end-of-input' };

const ownAnswer = (text: string): string | undefined => {
  const read = readFrame(text);
  if (read.kind !== 'answer' || typeof read.frame.id !== 'string') return undefined;
  return read.frame.id.startsWith(OURS) ? read.frame.id : undefined;
};

/** A host ends the connection on a longer frame; here only the frame is lost. Counted only where it may matter: a character has at most 3 bytes a unit. */
const isTooLong = (line: string): boolean =>
  line.length * 3 > MAX_FRAME && new TextEncoder().encode(line).length > MAX_FRAME;
const TOO_LONG = { code: RPC.bad_frame, message: `a message has at most ${MAX_FRAME} bytes` };
