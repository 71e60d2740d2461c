// Scratch folders for the sandbox tests: laying files out, and a fingerprint that shows any write to a folder.
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

/** A scratch folder that is gone after the file's tests. */
export function folder(name: string): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `hca-${name}-`)));
  made.push(path);
  return path;
}

const made: string[] = [];
afterAll(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

/** `{ 'a.txt': 'text', 'run.sh': { exec: '…' }, 'link': { link: 'target' } }` */
export type Layout = Record<string, string | Uint8Array | { exec: string } | { link: string }>;

export function layOut(root: string, layout: Layout): string {
  for (const [path, content] of Object.entries(layout)) {
    const at = join(root, path);
    mkdirSync(dirname(at), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(at, content);
    else if ('link' in content) symlinkSync(content.link, at);
    else writeFileSync(at, content.exec, { mode: 0o755 });
  }
  return root;
}

/** Names, modes, times of change and content of everything below, so that no write of any kind goes unseen. */
export function fingerprint(root: string): string {
  const hash = createHash('sha256');
  for (const name of ['', ...readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()]) {
    const stat = lstatSync(join(root, name));
    hash.update(`${name}|${stat.mode}|${stat.mtimeMs}|${stat.ctimeMs}|`);
    if (stat.isSymbolicLink()) hash.update(readlinkSync(join(root, name)));
    if (stat.isFile()) hash.update(readFileSync(join(root, name)));
  }
  return hash.digest('hex');
}
