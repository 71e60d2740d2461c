// A file is either the old one or the new one, never half of it.
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes aside, then renames over the target; `durable` waits for the disk first. */
export function writeAtomic(
  path: string,
  content: string | Uint8Array,
  options: { mode?: number; durable?: boolean } = {},
): void {
  mkdirSync(dirname(path), { recursive: true });
  const aside = asideOf(path);
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const file = openSync(aside, 'wx', options.mode ?? 0o644);
  try {
    writeAll(file, bytes, options.durable === true);
    renameSync(aside, path);
  } catch (caught) {
    // Half a file on a full disk would keep it full.
    rmSync(aside, { force: true });
    throw caught;
  }
}

function writeAll(file: number, bytes: Uint8Array, durable: boolean): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    if (durable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A name beside the target that is short whatever the target's own name is. */
export function asideOf(path: string): string {
  return join(dirname(path), `.hca-${randomUUID().slice(0, 13)}.tmp`);
}
