// A tar archive of files and links, as GNU tar reads it: how the files of a tree are sent to an agent-server in few requests.
import type { FileMode } from '#shared/contracts/workspace.ts';

/** `bytes` of a link are its target. */
export type TarEntry = { path: string; mode: FileMode; bytes: Uint8Array };

const BLOCK = 512;

/** Longer names go into a record of their own before the entry (GNU's `L` and `K`). */
const SHORT = 100;

/** All files get one time long past: a later write always shows in the stat, and no build tool sees a newer input than output. */
const LONG_PAST = Date.UTC(2020, 0, 1) / 1000;

export function tarOf(entries: readonly TarEntry[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat([...entries.flatMap(recordsOf), Buffer.alloc(BLOCK * 2)]));
}

function recordsOf({ path, mode, bytes }: TarEntry): Buffer[] {
  const [name, link] = [Buffer.from(path), mode === 'link' ? Buffer.from(bytes) : Buffer.alloc(0)];
  const content = mode === 'link' ? Buffer.alloc(0) : Buffer.from(bytes);
  return [
    ...longName('L', name),
    ...longName('K', link),
    header({
      name,
      link,
      size: content.length,
      mode: mode === 'exec' ? 0o755 : 0o644,
      type: mode === 'link' ? '2' : '0',
    }),
    padded(content),
  ];
}

function longName(type: 'L' | 'K', text: Buffer): Buffer[] {
  if (text.length <= SHORT) return [];
  const size = text.length + 1;
  const head = { name: Buffer.from('././@LongLink'), link: Buffer.alloc(0), size, mode: 0o644, type };
  return [header(head), padded(Buffer.concat([text, Buffer.alloc(1)]))];
}

type Header = { name: Buffer; link: Buffer; size: number; mode: number; type: string };

/** Offsets of the old GNU format; the sum is taken with spaces in its own place. */
function header({ name, link, size, mode, type }: Header): Buffer {
  const block = Buffer.alloc(BLOCK);
  name.copy(block, 0, 0, SHORT);
  block.write(octal(mode, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(LONG_PAST, 11), 136);
  block.write(' '.repeat(8), 148);
  block.write(type, 156);
  link.copy(block, 157, 0, SHORT);
  block.write('ustar  \0', 257);
  block.write(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
    148,
  );
  return block;
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

function padded(bytes: Buffer): Buffer {
  const rest = bytes.length % BLOCK;
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(BLOCK - rest)]);
}
