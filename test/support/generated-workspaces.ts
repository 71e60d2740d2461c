// Workspaces that the harness has never seen, tool × layout, each broken in a way that frozen tools can repair.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { BIOME_WORKSPACES } from './generated-biome.ts';
import { ESLINT_WORKSPACES } from './generated-eslint.ts';
import type { GeneratedWorkspace } from './generated-parts.ts';
import { PRETTIER_WORKSPACES } from './generated-prettier.ts';

/** Fourteen of them, tool × layout. */
export const GENERATED: readonly GeneratedWorkspace[] = [
  ...BIOME_WORKSPACES,
  ...ESLINT_WORKSPACES,
  ...PRETTIER_WORKSPACES,
];

const MODULES = path.resolve(import.meta.dirname, '../../node_modules');

/** Writes a workspace into an empty folder, links the packages it needs from our own, and makes it a repository if it is one. */
export function writeWorkspace(
  { files, packages, git }: Pick<GeneratedWorkspace, 'files' | 'packages' | 'git'>,
  folder: string,
): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  linkPackages(folder, packages);
  if (!git) return;
  writeFileSync(path.join(folder, '.gitignore'), 'node_modules/\n');
  const run = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  };
  run('init', '--quiet');
  run('add', '.');
  run('commit', '--quiet', '--message', 'start');
}

/** Makes `node_modules` of a folder with links to the packages that are installed here, and their commands. */
export function linkPackages(folder: string, packages: readonly string[]): void {
  const modules = path.join(folder, 'node_modules');
  mkdirSync(path.join(modules, '.bin'), { recursive: true });
  for (const name of packages) {
    const bin = path.basename(name);
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    symlinkSync(path.join(MODULES, name), path.join(modules, name));
    if (existsSync(path.join(MODULES, '.bin', bin)))
      symlinkSync(path.join(MODULES, '.bin', bin), path.join(modules, '.bin', bin));
  }
}
