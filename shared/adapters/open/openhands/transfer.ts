// Bytes to and from an agent-server in pieces that pass through a gateway: an HTTP API in front of it takes 10 MB a request and an answer.
import { randomUUID } from 'node:crypto';
import { askRemote, type RemotePlace } from './remote-scripting.ts';
import { quoted } from './shell-words.ts';

/** With the frame of a form around it still below 10 MB. */
const PIECE_BYTES = 8_000_000;

/** Writes a file of the server; it is whole when this returns. */
export async function sendBytes(place: RemotePlace, path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  if (bytes.length <= PIECE_BYTES) return place.client.upload(path, bytes);
  const starts = Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, at) => at * PIECE_BYTES);
  const names = starts.map((start) => `${path}.${start}`);
  for (const [at, start] of starts.entries())
    await place.client.upload(names[at] ?? path, bytes.slice(start, start + PIECE_BYTES));
  const words = names.map((name) => quoted(name)).join(' ');
  await askRemote(place, `cat -- ${words} >${quoted(path)} && rm -f -- ${words}`);
}

/** Reads a file of `size` bytes; null when it is not there (any more). */
export async function fetchBytes(
  place: RemotePlace,
  path: string,
  size: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const { client, folders } = place;
  if (size <= PIECE_BYTES) return client.download(path);
  const pieces = folders.up(`${randomUUID()}.`);
  const next = (nth: number) => client.download(nameOf(pieces, nth));
  const said = await askRemote(
    place,
    `split -b ${PIECE_BYTES} -d -a 4 -- ${quoted(path)} ${quoted(pieces)} && echo cut || echo none`,
  );
  if (said.trim() !== 'cut') return null;
  const whole = new Uint8Array(size);
  let at = 0;
  for (let part = await next(0); part !== null; part = await next(at / PIECE_BYTES)) {
    // One that has grown meanwhile is not what was listed; its hash says so.
    whole.set(part.subarray(0, size - at), at);
    at += part.length;
    if (part.length < PIECE_BYTES || at >= size) break;
  }
  await askRemote(place, `rm -f -- ${quoted(pieces)}*`);
  return at < size ? whole.slice(0, at) : whole;
}

const nameOf = (pieces: string, at: number): string => `${pieces}${String(at).padStart(4, '0')}`;
