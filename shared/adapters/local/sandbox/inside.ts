// Where a relative path really is inside a folder, so that no link or ".." leads a read or a write out of it.
import { lstatSync, readlinkSync } from 'node:fs';
import { isAbsolute, join, posix } from 'node:path';
import { HcaFault } from '#shared/contracts/errors.ts';
import { WorkspacePath } from '#shared/contracts/workspace.ts';
import { contains } from './scan.ts';

/** More links than any honest path has. */
const MAX_LINKS = 40;

/** A folder and the absolute path that absolute links inside it mean by it (a session's copy answers for the workspace). */
export type Place = { root: string; home: string };

/**
 * The real path of `path` below the place, every link on the way followed inside it; the last part need not exist.
 * `last: 'keep'` does not follow the last part, for removing or replacing a link itself.
 * @throws HcaFault HcaBadInput naming `path`
 */
export function resolveInside(place: Place, path: string, last: 'follow' | 'keep' = 'follow'): string {
  if (!WorkspacePath.safeParse(path).success) throw outside(path, 'it must be relative, without ".." or empty parts');
  const walk: Walk = { place, path, last, pending: path.split('/').reverse(), done: [], links: 0 };
  for (let part = walk.pending.pop(); part !== undefined; part = walk.pending.pop()) advance(walk, part);
  return join(place.root, ...walk.done);
}

/** The same path without `./`, doubled or trailing slashes; what is left of a `..` is refused by `resolveInside`. */
export function plainPath(path: string): string {
  const plain = posix.normalize(path);
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
}

type Walk = {
  place: Place;
  path: string;
  last: 'follow' | 'keep';
  pending: string[];
  done: string[];
  links: number;
};

function advance(walk: Walk, part: string): void {
  if (part === '' || part === '.') return;
  if (part === '..') {
    if (walk.done.pop() === undefined) throw outside(walk.path, 'a link leads out of the workspace');
    return;
  }
  const text = linkText(walk, part);
  if (text === null) walk.done.push(part);
  else follow(walk, text);
}

function follow(walk: Walk, text: string): void {
  walk.links += 1;
  if (walk.links > MAX_LINKS) throw outside(walk.path, 'its links go in circles');
  const target = inPlace(walk.place, text);
  if (target === null) throw outside(walk.path, 'a link leads out of the workspace');
  if (isAbsolute(text)) walk.done.length = 0;
  walk.pending.push(...target.split('/').reverse());
}

function inPlace({ root, home }: Place, text: string): string | null {
  if (!isAbsolute(text)) return text;
  const owner = [home, root].find((folder) => contains(folder, text));
  return owner === undefined ? null : text.slice(owner.length);
}

function linkText({ place, done, pending, last }: Walk, part: string): string | null {
  if (pending.length === 0 && last === 'keep') return null;
  const at = join(place.root, ...done, part);
  return lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(at) : null;
}

function outside(path: string, why: string): HcaFault {
  const message = `the path "${path.slice(0, 200)}" is refused: ${why}`;
  return new HcaFault('HcaBadInput', { message, field: 'path', remedy: 'Use a path inside the workspace.' });
}
