// How a session sees the dependency folders of the original: readable where they are, never writable, and with links
// between packages of one repository leading into the session's own copy, so that a change in one is seen by the other.
import { type Dirent, existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import * as z from 'zod';
import type { TreeEntry } from '#shared/contracts/workspace.ts';
import { contains } from './scan.ts';
import { innerScope, isDependencyFolder, isIgnored, outerScope } from './scan-rules.ts';

/**
 * Paths are relative to the workspace, sources absolute. `mounts` are shown read-only, `links` recreated with their text,
 * `copies` copied, `folders` made empty and writable; `outside` are folders elsewhere that links need, shown where they are.
 */
export const DependencyView = z.strictObject({
  tops: z.array(z.string()),
  folders: z.array(z.string()),
  mounts: z.array(z.strictObject({ path: z.string(), source: z.string() })),
  links: z.array(z.strictObject({ path: z.string(), text: z.string() })),
  copies: z.array(z.strictObject({ path: z.string(), source: z.string() })),
  outside: z.array(z.string()),
  notes: z.array(z.string()),
});
export type DependencyView = z.infer<typeof DependencyView>;

/** Reads the original's folders; the tree says which folders a dependency folder can be in. Writes nothing. */
export function viewDependencies(workspace: string, entries: readonly TreeEntry[]): DependencyView {
  const view: DependencyView = { tops: [], folders: [], mounts: [], links: [], copies: [], outside: [], notes: [] };
  const folders = new Set(['', ...entries.flatMap((entry) => parents(entry.path))]);
  const inside = [...folders].sort().flatMap((folder) => subfolders(workspace, folder));
  for (const { name, path } of inside.filter((one) => !folders.has(one.path))) addTop({ view, workspace }, name, path);
  return view;
}

function subfolders(workspace: string, folder: string): { name: string; path: string }[] {
  const at = join(workspace, folder);
  const entries = readFolder(at).filter((entry) => entry.isDirectory() || isLinkedTop(workspace, join(at, entry.name)));
  return entries.map(({ name }) => ({ name, path: folder === '' ? name : `${folder}/${name}` }));
}

/** Dependencies may be installed elsewhere and linked here as a whole, as people do for a second work tree of a repository. */
function isLinkedTop(workspace: string, at: string): boolean {
  const real = lstatSync(at).isSymbolicLink() ? realOf(at) : null;
  if (real === null || contains(workspace, real)) return false;
  return basename(at) === 'node_modules' ? statSync(real).isDirectory() : existsSync(join(real, 'pyvenv.cfg'));
}

/** `original` is set where packages are links into a folder that is shown once. */
type Work = { view: DependencyView; workspace: string; original?: string | undefined };

/** Shown as a whole: nothing in them links back into the workspace. Filled by a package manager, so only when ignored. */
const WHOLE_WHEN_IGNORED = new Set(['vendor', 'bower_components', '.yarn', '.pnpm-store', 'deps', '_build']);

/** Files and folders in `node_modules` that tools write: a session has its own, fresh. */
const CACHES = /^\.(cache|vite|vitest|tmp|parcel|turbo|nitro|astro|prisma)/;

/** Lock and state files of package managers are copied; anything larger is shown read-only. */
const COPY_BYTES = 5_000_000;

function addTop(work: Work, name: string, path: string): void {
  const at = join(work.workspace, path);
  if (name === 'node_modules') {
    work.view.tops.push(path);
    addPackages(work, path);
  } else if (existsSync(join(at, 'pyvenv.cfg'))) {
    work.view.tops.push(path);
    addEnvironment(work, path);
  } else if (WHOLE_WHEN_IGNORED.has(name) && (isDependencyFolder(at, name) || ignoredFolder(work.workspace, path))) {
    work.view.tops.push(path);
    work.view.mounts.push({ path, source: at });
  }
}

function addPackages(work: Work, folder: string): void {
  work.view.folders.push(folder);
  const original = shownOnce(work, folder);
  for (const entry of readFolder(join(work.workspace, folder))) {
    const path = `${folder}/${entry.name}`;
    if (CACHES.test(entry.name)) continue;
    if (entry.isSymbolicLink()) addLink(work, path);
    else if (entry.isDirectory()) addPackage({ ...work, original }, entry.name, path);
    else addFile(work, path);
  }
}

/** A scope and `.bin` hold links themselves, so they are folders of the session; any other package is shown as it is. */
function addPackage(work: Work, name: string, path: string): void {
  const { view, workspace, original } = work;
  if (name.startsWith('@') || name === '.bin') addFolder(work, path);
  else if (original === undefined) view.mounts.push({ path, source: join(workspace, path) });
  else view.links.push({ path, text: relative(dirname(path), join(original, relative(dirname(original), path))) });
}

function addFolder(work: Work, folder: string): void {
  work.view.folders.push(folder);
  for (const entry of readFolder(join(work.workspace, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isSymbolicLink()) addLink(work, path);
    else if (entry.isDirectory()) addPackage(work, '', path);
    else addFile(work, path);
  }
}

/**
 * Every mount costs each command time, and the more there are the more each costs (100: 30 ms, 600: 360 ms). A large
 * folder is therefore shown once, under a name of its own, and its packages are links into that: the layout that pnpm
 * uses, which every resolver knows. Sibling packages are still found, since the folder above is the `node_modules`.
 */
function shownOnce({ view, workspace }: Work, folder: string): string | undefined {
  if (readFolder(join(workspace, folder)).length <= MANY) return undefined;
  const path = `${folder}/${ORIGINAL}`;
  view.mounts.push({ path, source: join(workspace, folder) });
  return path;
}

const MANY = 60;
const ORIGINAL = '.original';

function addFile({ view, workspace }: Work, path: string): void {
  const source = join(workspace, path);
  const small = lstatSync(source).size <= COPY_BYTES;
  (small ? view.copies : view.mounts).push({ path, source });
}

/** A link inside the workspace keeps its text and so means the session's copy; another install is shown whole, since its packages need each other. */
function addLink({ view, workspace }: Work, path: string): void {
  const at = join(workspace, path);
  const text = readlinkSync(at);
  if (contains(workspace, isAbsolute(text) ? text : resolve(dirname(at), text))) {
    view.links.push({ path, text });
    return;
  }
  const real = realOf(at) ?? '';
  const install = /^.*?\/node_modules(?=\/)/.exec(real)?.[0];
  if (install === undefined) view.notes.push(`${path} leads out of the workspace and is left out`.slice(0, 500));
  else view.links.push({ path, text: real });
  if (install !== undefined && !view.outside.includes(install)) view.outside.push(install);
}

/** A virtual environment is shown whole, also where it really is (its programs name that place), and so is its interpreter. */
function addEnvironment({ view, workspace }: Work, path: string): void {
  const source = join(workspace, path);
  view.mounts.push({ path, source });
  const real = realOf(source) ?? source;
  if (real !== source) view.outside.push(real);
  const python = realOf(join(source, 'bin', 'python'));
  if (python !== null) view.outside.push(dirname(dirname(python)));
}

function ignoredFolder(workspace: string, path: string): boolean {
  const folders = ['', ...parents(path)].map((folder) => join(workspace, folder));
  const scope = folders.reduce((inner, folder) => innerScope(inner, folder), outerScope(workspace));
  return isIgnored(scope, join(workspace, path), true);
}

/** `node_modules` above the workspace, up to the top of its repository: hoisted packages of a larger repository. */
export function hoistedAbove(workspace: string): string[] {
  const found: string[] = [];
  for (let folder = workspace; !existsSync(join(folder, '.git')); folder = dirname(folder)) {
    const above = dirname(folder);
    if (above === folder) return [];
    if (existsSync(join(above, 'node_modules'))) found.push(join(above, 'node_modules'));
  }
  return found;
}

/** True for a path that the view answers for. */
export function isDependencyPath(view: DependencyView, path: string): boolean {
  return view.tops.some((top) => contains(top, path));
}

/** Where a path under a mount, or behind a link into one, is on the host; null for any other path. */
export function sourceOf(view: DependencyView, path: string): string | null {
  const mount = view.mounts.find((candidate) => contains(candidate.path, path));
  if (mount !== undefined) return join(mount.source, relative(mount.path, path));
  const link = view.links.find((candidate) => contains(candidate.path, path));
  if (link === undefined || !link.text.split('/').includes(ORIGINAL)) return null;
  return sourceOf(view, join(dirname(link.path), link.text, relative(link.path, path)));
}

/** A name that is no UTF-8 cannot be asked for again, so nothing is said of it. */
function readFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).filter(({ name }) => !name.includes('\ufffd'));
  } catch {
    return [];
  }
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function parents(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}
