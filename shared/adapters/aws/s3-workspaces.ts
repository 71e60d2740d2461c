// Workspaces in the cloud: no folder of a person is here, only the content of snapshots that was handed over, each tenant's apart from
// all others' so that knowing a hash opens nothing.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { PREFIXES } from '#shared/contracts/bucket.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { TreeEntry, type TreeId } from '#shared/contracts/workspace.ts';
import { manifestOf } from '#shared/domain/tree.ts';
import { checkTree, contentMissing, noTree } from '#shared/domain/tree-faults.ts';
import type { Upload, WorkspaceStore, Workspaces } from '#shared/ports/workspaces.ts';
import type { Clock } from '#shared/ports/world.ts';
import { s3Blobs } from './s3-blobs.ts';
import type { Objects } from './s3-objects.ts';

/** `tenant`: whose content is meant, asked at each call. `uploads`: signs a direct upload of one key; without it contents pass through here. */
export interface WorkspaceBucket {
  objects: Objects;
  clock: Clock;
  tenant: () => string;
  upload?: (key: string, content: { sha256: string; bytes: number }) => Promise<Upload>;
}

/** Snapshots in the bucket, as `_workspaces/<tenant>/trees/<id>.json` and `…/blobs/<sha256>`. */
export const s3Workspaces = (bucket: WorkspaceBucket): Workspaces & WorkspaceStore => {
  const { objects, tenant } = bucket;
  const blobs = s3Blobs(bucket);
  const trees = recentTrees(objects);
  return {
    list: (tree) => trees.entries(tenant(), tree),
    read: async (tree, path) => {
      const entries = await trees.entries(tenant(), tree);
      const entry = entries.find((candidate) => candidate.path === path);
      return entry === undefined ? null : blobs.read(entry.sha256);
    },
    missing: (hashes) => blobs.missing(hashes),
    putBlob: (bytes) => blobs.put(bytes),
    uploads: (contents) => blobs.uploads(contents),
    putTree: async (entries) => {
      checkTree(entries);
      const lacking = await blobs.lacking(entries);
      if (lacking.length > 0) throw contentMissing(lacking);
      return trees.put(tenant(), entries);
    },
    collect: async () => EXPIRES_BY_ITSELF,
    recover: async () => [],
    take: async (path) => {
      throw elsewhere(
        `"${path.slice(0, 300)}" is a folder of another machine`,
        'start the task there with hca run, which hands its content over, or give a git URL',
      );
    },
    apply: async (path) => {
      throw elsewhere(
        `"${path.slice(0, 300)}" is a folder of another machine`,
        'apply the change there with hca apply',
      );
    },
  };
};

/** What is not used any more goes by the bucket's own rule (shared/contracts/bucket.ts): there is nothing to collect. */
const EXPIRES_BY_ITSELF = { trees: 0, blobs: 0, bytes: 0 };

/** A handful of manifests: a session, its base and its last snapshots are asked for again and again, and never change. */
const REMEMBERED = 16;
const Entries = z.array(TreeEntry);

const recentTrees = (objects: Objects) => {
  const recent = new Map<string, TreeEntry[]>();
  const remember = (key: string, entries: TreeEntry[]): TreeEntry[] => {
    recent.set(key, entries);
    const [oldest] = recent.keys();
    if (recent.size > REMEMBERED && oldest !== undefined) recent.delete(oldest);
    return entries;
  };
  return {
    put: async (tenant: string, entries: readonly TreeEntry[]): Promise<TreeId> => {
      const { manifest, sorted } = manifestOf(entries);
      const tree = digest(manifest);
      const key = treeKey(tenant, tree);
      await objects.put(key, { body: Buffer.from(manifest), sha256: tree, type: 'application/json' });
      remember(key, sorted);
      return tree;
    },
    entries: async (tenant: string, tree: TreeId): Promise<TreeEntry[]> => {
      if (tree === EMPTY) return [];
      const key = treeKey(tenant, tree);
      return recent.get(key) ?? remember(key, await read(objects, key, tree));
    },
  };
};

async function read(objects: Objects, key: string, tree: TreeId): Promise<TreeEntry[]> {
  const found = await objects.get(key);
  if (found === undefined) throw noTree(tree);
  if (digest(found.body) === tree) return Entries.parse(JSON.parse(Buffer.from(found.body).toString('utf8')));
  throw new HcaFault('HcaCorrupt', {
    message: `the snapshot ${tree} is damaged`,
    remedy: `restore ${key} in the bucket`,
  });
}

const digest = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** The tree of no files is always there. */
const EMPTY = digest(manifestOf([]).manifest);

const treeKey = (tenant: string, tree: TreeId): string => `${PREFIXES.workspaces}${tenant}/trees/${tree}.json`;

const elsewhere = (why: string, remedy: string): HcaFault =>
  new HcaFault('HcaBadInput', { message: `the workspace cannot be used: ${why}`, field: 'workspace', remedy });
