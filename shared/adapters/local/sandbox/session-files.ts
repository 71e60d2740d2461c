// The files of one session: reading and writing single ones, snapshots of all, and setting all back to a snapshot.
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HcaFault } from '#shared/contracts/errors.ts';
import { type TreeEntry, type TreeId, WorkspacePath } from '#shared/contracts/workspace.ts';
import { isDependencyPath, sourceOf } from './dependency-view.ts';
import { type Place, plainPath, resolveInside } from './inside.ts';
import { layDependencies } from './lay-dependencies.ts';
import { clearOthers, layTree } from './materialize.ts';
import { contains, scanFolder } from './scan.ts';
import { outerScope } from './scan-rules.ts';
import type { SessionFolders, SessionRecord } from './session-record.ts';
import { StatCache } from './stat-cache.ts';
import type { TreeStore } from './tree-store.ts';
import { writeAtomic } from './write-atomic.ts';

export class SessionFiles {
  readonly #record: SessionRecord;
  readonly #place: Place;
  readonly #trees: TreeStore;
  readonly #stats: StatCache;

  constructor(record: SessionRecord, folders: SessionFolders, trees: TreeStore) {
    this.#record = record;
    this.#place = { root: folders.work, home: record.workspace };
    this.#trees = trees;
    this.#stats = new StatCache(join(folders.top, 'stats.json'));
  }

  /** Makes the session's folder from nothing: the files of its tree, then what it sees of the original's dependencies. */
  async make(): Promise<void> {
    const { blobs } = this.#trees;
    mkdirSync(this.#place.root, { recursive: true });
    const rewrite = (link: string): string => this.#inward(link);
    await layTree(this.#place.root, this.#trees.entries(this.#record.opened), { blobs, stats: this.#stats, rewrite });
    layDependencies(this.#place.root, this.#record.view, { mounting: this.#record.bubblewrap !== null, rewrite });
    this.#stats.save();
  }

  /** Sorted by path. */
  async entries(): Promise<TreeEntry[]> {
    const { root, home } = this.#place;
    const { base, opened } = this.#record;
    const tracked = new Set([base, opened].flatMap((tree) => this.#trees.entries(tree)).map((entry) => entry.path));
    const { files } = await scanFolder({ root, home, scope: outerScope(home), tracked });
    const own = files.filter(({ path }) => !isDependencyPath(this.#record.view, path));
    const rewrite = (link: string): string => this.#outward(link);
    const { entries } = await this.#stats.entries(root, own, { blobs: this.#trees.blobs, rewrite });
    this.#stats.save();
    return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async snapshot(): Promise<TreeId> {
    return this.#trees.put(await this.entries());
  }

  async restore(tree: TreeId): Promise<void> {
    const wanted = this.#trees.entries(tree);
    const now = new Map((await this.entries()).map((entry) => [entry.path, `${entry.mode}${entry.sha256}`]));
    clearOthers(this.#place.root, wanted, (path) => isDependencyPath(this.#record.view, path));
    const changed = wanted.filter((entry) => now.get(entry.path) !== `${entry.mode}${entry.sha256}`);
    const rewrite = (link: string): string => this.#inward(link);
    await layTree(this.#place.root, changed, { blobs: this.#trees.blobs, stats: this.#stats, rewrite });
    this.#stats.save();
  }

  read(given: string): Uint8Array | null {
    const path = plainPath(given);
    const at = this.#dependency(path) ?? resolveInside(this.#place, path);
    return lstatSync(at, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(at) : null;
  }

  write(given: string, content: Uint8Array | string): void {
    const path = plainPath(given);
    this.#refuseDependency(path);
    const at = resolveInside(this.#place, path);
    const stat = lstatSync(at, { throwIfNoEntry: false });
    if (stat !== undefined && !stat.isFile()) throw badPath(path, 'it is a folder');
    const mode = stat !== undefined && (stat.mode & 0o100) !== 0 ? 0o755 : 0o644;
    mkdirSync(dirname(at), { recursive: true });
    writeAtomic(at, content, { mode });
  }

  remove(given: string): boolean {
    const path = plainPath(given);
    this.#refuseDependency(path);
    const at = resolveInside(this.#place, path, 'keep');
    const there = lstatSync(at, { throwIfNoEntry: false }) !== undefined;
    rmSync(at, { recursive: true, force: true });
    return there;
  }

  async list(given: string): Promise<TreeEntry[]> {
    const path = plainPath(given);
    if (path === '.') return this.entries();
    resolveInside(this.#place, path);
    return (await this.entries()).filter((entry) => contains(path, entry.path));
  }

  /** Where a file of a mounted dependency really is; a link in there leads no further than the workspace. */
  #dependency(path: string): string | null {
    const source = WorkspacePath.safeParse(path).success ? sourceOf(this.#record.view, path) : null;
    if (source === null || !existsSync(source)) return null;
    const real = realpathSync(source);
    if (!contains(realpathSync(this.#record.workspace), real)) throw badPath(path, 'a link leads out of the workspace');
    return real;
  }

  #refuseDependency(path: string): void {
    if (isDependencyPath(this.#record.view, path)) throw badPath(path, 'dependency folders are read-only');
  }

  /** Without bubblewrap the session is elsewhere, so an absolute link into the workspace must mean the session's copy. */
  #inward(link: string): string {
    const { root, home } = this.#place;
    return this.#record.bubblewrap === null && contains(home, link) ? root + link.slice(home.length) : link;
  }

  #outward(link: string): string {
    const { root, home } = this.#place;
    return this.#record.bubblewrap === null && contains(root, link) ? home + link.slice(root.length) : link;
  }
}

function badPath(path: string, why: string): HcaFault {
  return new HcaFault('HcaBadInput', { message: `the path "${path}" is refused: ${why}`, field: 'path' });
}
