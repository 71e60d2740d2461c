// Outgoing frames of at most 32 KB, the most that a WebSocket API takes in one piece (protocols 3): long text is split, raw values are
// shortened, and what still is too large goes without them.
import { type SessionUpdate, updateFrame } from './wire.ts';

/** 32 KiB in UTF-8 for the whole frame. */
export const MOST_BYTES = 32 * 1024;
/** Characters of one chunk: at 6 bytes each, as JSON escapes a control character, 4,000 of them are 24,000 bytes. */
const CHUNK = 4000;
/** Texts inside raw values are cut to ever shorter lengths until the frame fits. */
const LENGTHS = [2000, 500, 100, 20];

/** A frame on its way out. */
export type Outgoing = object;

/** An update as frames that fit, in order. */
export const fitting = (sessionId: string, update: SessionUpdate): Outgoing[] =>
  split(update).map((piece) => fitted(updateFrame(sessionId, piece)));

/** A frame that fits: with shorter raw values, or without them. */
export const fitted = (frame: Outgoing): Outgoing => {
  for (const length of [Number.POSITIVE_INFINITY, ...LENGTHS]) {
    const shorter = shorten(frame, { length, isRaw: false });
    if (isObject(shorter) && bytesOf(shorter) <= MOST_BYTES) return shorter;
  }
  return { ...without(frame) };
};

/** Bytes of a frame on the wire. */
export const bytesOf = (frame: unknown): number => Buffer.byteLength(JSON.stringify(frame));

const split = (update: SessionUpdate): SessionUpdate[] => {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
    case 'user_message_chunk': {
      const { content } = update;
      if (content.type !== 'text') return [update];
      return chunksOf(content.text).map((text) => ({ ...update, content: { ...content, text } }));
    }
    default:
      return [update];
  }
};

/** Never cuts a pair of UTF-16 units in two. */
const chunksOf = (text: string): string[] => {
  const pieces: string[] = [];
  let at = 0;
  do {
    const isPair = at + CHUNK < text.length && /[\uD800-\uDBFF]/.test(text[at + CHUNK - 1] ?? '');
    const end = at + CHUNK - (isPair ? 1 : 0);
    pieces.push(text.slice(at, end));
    at = end;
  } while (at < text.length);
  return pieces;
};

/** Keys whose values are for reading only; nothing refers to them. */
const RAW: ReadonlySet<string> = new Set(['rawInput', 'rawOutput', 'title', 'description', 'text', 'message']);

const shorten = (value: unknown, how: { length: number; isRaw: boolean }): unknown => {
  if (typeof value === 'string')
    return how.isRaw && value.length > how.length ? `${value.slice(0, how.length)}…` : value;
  if (Array.isArray(value)) return value.map((inner: unknown) => shorten(inner, how));
  if (!isObject(value)) return value;
  const pairs = Object.entries(value).map(([key, inner]: [string, unknown]) => [
    key,
    shorten(inner, { ...how, isRaw: how.isRaw || RAW.has(key) }),
  ]);
  return Object.fromEntries(pairs);
};

/** What may be left out of an update or a request without changing what it says. */
const without = (frame: unknown): object => {
  if (!isObject(frame)) return {};
  const pairs = Object.entries(frame)
    .filter(([key]) => !['rawInput', 'rawOutput', 'locations'].includes(key))
    .map(([key, inner]: [string, unknown]) => [key, isPlain(inner) ? without(inner) : inner]);
  return Object.fromEntries(pairs);
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isPlain = (value: unknown): boolean => isObject(value) && !Array.isArray(value);
