// Finds the packages of a workspace: folders with a manifest, monorepo members included, and what each says about itself.
import * as z from 'zod';
import type { Catalogue } from '#shared/contracts/project.ts';
import { firstMatch } from '../glob.ts';
import { targetsOf } from './makefile.ts';
import { inFolder } from './shell-text.ts';

/** Files of the workspace as detection sees them: all paths, and the text of those that `wantedFiles` named. */
export type ProjectFiles = { paths: readonly string[]; read: (path: string) => string | null | undefined };

/** `scripts` of package.json, `targets` of the Makefile; `text` is all manifests' text, in which a dependency is looked up. */
export type Manifest = {
  dir: string;
  manager: string;
  scripts: Readonly<Record<string, string>>;
  targets: Readonly<Record<string, string>>;
  declared: ReadonlySet<string>;
  sections: ReadonlySet<string>;
  text: string;
};

const PackageJson = z.object({
  scripts: z.record(z.string(), z.string()).catch({}).default({}),
  dependencies: z.record(z.string(), z.string()).catch({}).default({}),
  devDependencies: z.record(z.string(), z.string()).catch({}).default({}),
  packageManager: z.string().catch('').default(''),
  workspaces: z
    .union([z.array(z.string()), z.object({ packages: z.array(z.string()) }).transform((value) => value.packages)])
    .catch([])
    .default([]),
});
type PackageJson = z.infer<typeof PackageJson>;

/** At most this many manifests are read. */
const MOST = 300;

/** Paths whose text detection wants to read. */
export function wantedFiles(paths: readonly string[], catalogue: Catalogue): string[] {
  const names = new Set(catalogue.manifests);
  return paths.filter((path) => names.has(nameOf(path)) && !isIgnored(path, catalogue)).slice(0, MOST);
}

/** The root package and its members; where the root has no manifest of its own, the topmost folders that have one. */
export function manifestsOf(files: ProjectFiles, catalogue: Catalogue): Manifest[] {
  const wanted = wantedFiles(files.paths, catalogue);
  const folders = [...new Set(wanted.map(folderOf))].sort();
  const members = membersOf(files, folders);
  const atRoot = wanted.some((path) => !path.includes('/') && path !== 'Makefile');
  const topmost = atRoot ? [] : folders.filter((dir) => !folders.some((other) => other !== '.' && isBelow(dir, other)));
  const chosen = folders.filter((dir) => dir === '.' || members.includes(dir) || topmost.includes(dir));
  return chosen.map((dir) => manifestOf(files, dir, catalogue));
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.');
const isBelow = (dir: string, other: string): boolean => dir.startsWith(`${other}/`);

function isIgnored(path: string, catalogue: Catalogue): boolean {
  return folderOf(path)
    .split('/')
    .some((segment) => catalogue.ignored_folders.includes(segment));
}

function membersOf(files: ProjectFiles, folders: readonly string[]): string[] {
  const named = parsed(files.read('package.json')).workspaces;
  const listed = (files.read('pnpm-workspace.yaml') ?? '').matchAll(/^\s*-\s*['"]?([^'"#\s]+)/gm);
  const globs = [...named, ...[...listed].map((match) => match[1] ?? '')].map((glob) => glob.replace(/^\.\/|\/$/g, ''));
  const out = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  return folders.filter((dir) => firstMatch(globs, dir) !== null && firstMatch(out, dir) === null);
}

function manifestOf(files: ProjectFiles, dir: string, catalogue: Catalogue): Manifest {
  const read = (name: string): string => files.read(inFolder(dir, name)) ?? '';
  const json = parsed(read('package.json'));
  const text = catalogue.manifests.map(read).join('\n');
  const tables = [...text.matchAll(/^\[{1,2}([\w.-]+)\]{1,2}/gm)].map((match) => match[1] ?? '');
  return {
    dir,
    manager: managerOf(files.paths, dir, json),
    scripts: json.scripts,
    targets: targetsOf(read('Makefile')),
    declared: new Set([...Object.keys(json.dependencies), ...Object.keys(json.devDependencies)]),
    sections: new Set([...tables, ...fieldsOf(read('package.json'))]),
    text,
  };
}

const LOCKS = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'bun.lock': 'bun', 'bun.lockb': 'bun' } as const;

function managerOf(paths: readonly string[], dir: string, json: PackageJson): string {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(json.packageManager)?.[1];
  const lock = Object.entries(LOCKS).find(([name]) => paths.includes(inFolder(dir, name)) || paths.includes(name));
  return named ?? lock?.[1] ?? 'npm';
}

function parsed(text: string | null | undefined): PackageJson {
  const result = PackageJson.safeParse(jsonOf(text));
  return result.success ? result.data : PackageJson.parse({});
}

function fieldsOf(text: string): string[] {
  const value = z.record(z.string(), z.unknown()).safeParse(jsonOf(text));
  return value.success ? Object.keys(value.data) : [];
}

function jsonOf(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

/** Files of a package's own folder and of the folders in it, relative to it: where tools are configured. */
export function filesNear(files: ProjectFiles, dir: string): string[] {
  const start = dir === '.' ? '' : `${dir}/`;
  const inside = files.paths.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
  return inside.filter((path) => path.split('/').length <= 2);
}
