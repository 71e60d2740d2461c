// Makes the parts of a dependency view that live in the session's own folder: mount points, links, copies, fresh folders.
import { copyFileSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DependencyView } from './dependency-view.ts';

/**
 * `mounting`: the mounts are made when a command runs, so only mount points are needed; else each is a link to the
 * original. `rewrite` turns the text of an absolute link into the workspace into one into the session.
 */
export function layDependencies(
  root: string,
  view: DependencyView,
  how: { mounting: boolean; rewrite: (link: string) => string },
): void {
  for (const folder of view.folders) mkdirSync(join(root, folder), { recursive: true });
  for (const { path, text } of view.links) link(join(root, path), how.rewrite(text));
  for (const { path, source } of view.copies) copyFileSync(source, join(root, path));
  for (const mount of view.mounts) {
    mkdirSync(dirname(join(root, mount.path)), { recursive: true });
    if (how.mounting) mountPoint(join(root, mount.path), mount.source);
    else link(join(root, mount.path), mount.source);
  }
}

function mountPoint(at: string, source: string): void {
  if (statSync(source).isDirectory()) mkdirSync(at, { recursive: true });
  else writeFileSync(at, '');
}

function link(at: string, target: string): void {
  rmSync(at, { recursive: true, force: true });
  symlinkSync(target, at);
}
