// ACP over stdio as a bridge to a host: a line in is a frame out, a frame in is a line out, and nothing else is ever written to the output
// (TRANSPORT-001). The host may be on this machine or anywhere.
import { errorFrame, MAX_FRAME, RPC, readFrame } from '#shared/protocols/acp/frame.ts';
import { type DoorAddress, unreachable } from './address.ts';
import { SUBPROTOCOL, TOKEN_PREFIX } from './watch.ts';

/** Where lines come from and go to. */
export interface Lines {
  input: AsyncIterable<string>;
  write(line: string): void;
}

/** Carries frames until the input ends. @throws HcaFault HcaUnavailable when the host cannot be reached or goes away. */
export const bridge = async (address: DoorAddress, lines: Lines): Promise<void> => {
  const socket = new WebSocket(urlOf(address), [SUBPROTOCOL, `${TOKEN_PREFIX}${address.token}`]);
  const gone = new Promise<never>((_resolve, reject) => {
    socket.addEventListener('error', (event) => reject(unreachable(address, event)));
    socket.addEventListener('close', () => reject(unreachable(address, 'the connection was closed')));
  });
  const drained = Promise.withResolvers<void>();
  socket.addEventListener('message', ({ data }) => {
    if (isLast(String(data))) drained.resolve();
    else lines.write(String(data));
  });
  await Promise.race([gone, opened(socket)]);
  try {
    await Promise.race([gone, forward(socket, lines)]);
    socket.send(JSON.stringify(LAST));
    await Promise.race([gone, drained.promise]);
  } finally {
    gone.catch(() => undefined);
    socket.close();
  }
};

/** `http://…` and `ws://…` name the same host; a path is kept. */
const urlOf = ({ url }: DoorAddress): string => {
  const target = new URL(url.replace(/^http/, 'ws'));
  if (target.pathname === '/') target.pathname = '/acp';
  return target.href;
};

const opened = (socket: WebSocket): Promise<void> =>
  new Promise((resolve) => {
    socket.addEventListener('open', () => resolve());
  });

const forward = async (socket: WebSocket, { input, write }: Lines): Promise<void> => {
  for await (const line of input) {
    if (line.length > MAX_FRAME) write(JSON.stringify(errorFrame(null, TOO_LONG)));
    else if (line.trim() !== '') socket.send(line);
  }
};

/** Frames are answered in order, so that its answer, whatever it is, comes after that of every frame before it. No prompt is waited for. */
const LAST = { jsonrpc: '2.0', id: 'end-of-input', method: 'hca/end-of-input' };

const isLast = (text: string): boolean => {
  const read = readFrame(text);
  return read.kind === 'answer' && read.frame.id === LAST.id;
};

/** A host ends the connection on a longer frame; here only the frame is lost. */
const TOO_LONG = { code: RPC.bad_frame, message: `a message has at most ${MAX_FRAME} characters` };
