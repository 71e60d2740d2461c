// What of a folder never goes into a snapshot: repositories, secrets, dependency folders, ignored files (architecture 11).
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { SkippedPath } from '#shared/contracts/workspace.ts';
import {
  DEPENDENCIES,
  holdsToken,
  isRepositoryName,
  isSecretPath,
  TARGET_OWNERS,
} from '#shared/domain/snapshot-rules.ts';

export type SkipReason = SkippedPath['reason'];

/** Ignore files that count for one folder: its own, those above it in the repository, and the repository's private one. */
export type IgnoreScope = { folder: string; rules: Ignore }[];

/** Scope of the top folder: ignore files above it, up to the folder that holds `.git`. Nothing above when there is no repository. */
export function outerScope(root: string): IgnoreScope {
  const above: string[] = [];
  for (let folder = root; !existsSync(join(folder, '.git')); folder = dirname(folder)) {
    if (dirname(folder) === folder) return [];
    above.unshift(dirname(folder));
  }
  const repository = above[0] ?? root;
  const own = ignoreFile(repository, join(repository, '.git', 'info', 'exclude'));
  return [...own, ...above.flatMap((folder) => ignoreFile(folder, join(folder, '.gitignore')))];
}

/** The scope below one more folder. */
export function innerScope(scope: IgnoreScope, folder: string): IgnoreScope {
  const own = ignoreFile(folder, join(folder, '.gitignore'));
  return own.length === 0 ? scope : [...scope, ...own];
}

/** Whether ignore files leave the path out; the innermost file that says anything decides, as in git. */
export function isIgnored(scope: IgnoreScope, path: string, folder: boolean): boolean {
  for (const { folder: owner, rules } of scope.toReversed()) {
    const inside = relative(owner, path).replaceAll('\\', '/');
    const answer = rules.test(folder ? `${inside}/` : inside);
    if (answer.ignored || answer.unignored) return answer.ignored;
  }
  return false;
}

/** Why an entry is left out for what it is, whatever the ignore files say; null when it is not. */
export function leftOutByName(
  path: string,
  entry: { name: string; relative: string; folder: boolean },
): SkipReason | null {
  if (isRepositoryName(entry.name)) return 'repository';
  if (entry.folder && isDependencyFolder(path, entry.name)) return 'dependency';
  if (isSecretPath(entry.relative)) return 'secret';
  if (entry.name === '.npmrc' && fileHoldsToken(path)) return 'secret';
  return null;
}

/** Folders that a package manager fills: never copied, but made available to a session. */
export function isDependencyFolder(path: string, name: string): boolean {
  if (DEPENDENCIES.has(name)) return true;
  if (name === 'target') return TARGET_OWNERS.some((owner) => existsSync(join(dirname(path), owner)));
  return existsSync(join(path, 'pyvenv.cfg'));
}

function ignoreFile(folder: string, file: string): IgnoreScope {
  try {
    return [{ folder, rules: ignore({ allowRelativePaths: true }).add(readFileSync(file, 'utf8')) }];
  } catch {
    return [];
  }
}

function fileHoldsToken(path: string): boolean {
  try {
    return holdsToken(readFileSync(path, 'utf8'));
  } catch {
    return true;
  }
}
