// Snapshots of a folder and changes to one: content-addressed, complete in themselves, no git needed
// (architecture 9, Sandbox).
import * as z from 'zod';

const HEX_SHA256 = /^[0-9a-f]{64}$/;

/** SHA-256 of the canonical manifest: its entries sorted by path, as JSON. Same files, same id, on every machine. */
export const TreeId = z.string().regex(HEX_SHA256, 'a tree id is 64 hexadecimal digits');
export type TreeId = z.infer<typeof TreeId>;

/** A relative path with forward slashes that stays inside its folder; at most 4096 characters. */
export const WorkspacePath = z.string().min(1).max(4096).refine(staysInside, {
  message: 'a workspace path is relative, has no "..", "." or empty segment and no NUL',
});
export type WorkspacePath = z.infer<typeof WorkspacePath>;

/** `link` is a symbolic link; its content is the target text. */
export const FileMode = z.enum(['file', 'exec', 'link']);
export type FileMode = z.infer<typeof FileMode>;

export const TreeEntry = z.strictObject({
  path: WorkspacePath,
  mode: FileMode,
  sha256: z.string().regex(HEX_SHA256),
  bytes: z.number().int().nonnegative(),
});
export type TreeEntry = z.infer<typeof TreeEntry>;

export const Tree = z.strictObject({ tree: TreeId, entries: z.array(TreeEntry) });
export type Tree = z.infer<typeof Tree>;

/** Content of one file on one side of a change: `text` when it is UTF-8 without NUL, else `base64`. */
export const FileState = z
  .strictObject({
    mode: FileMode,
    sha256: z.string().regex(HEX_SHA256),
    text: z.string().optional(),
    base64: z.base64().optional(),
  })
  .refine((state) => (state.text === undefined) !== (state.base64 === undefined), {
    message: 'a file state has either text or base64',
  });
export type FileState = z.infer<typeof FileState>;

/** `before: null` adds the file, `after: null` deletes it; both sides are whole files. */
export const FileChange = z.strictObject({
  path: WorkspacePath,
  before: FileState.nullable(),
  after: FileState.nullable(),
});
export type FileChange = z.infer<typeof FileChange>;

/** Files sorted by path, each path once. Enough to render a patch, to apply with a base check and to merge three-way. */
export const ChangeSet = z.strictObject({
  base: TreeId,
  files: z.array(FileChange).refine((files) => new Set(files.map((file) => file.path)).size === files.length, {
    message: 'a change set names each path once',
  }),
});
export type ChangeSet = z.infer<typeof ChangeSet>;

/** Why a path of the user's folder is not in the snapshot. `path` ends with `/` for a folder left out whole. */
export const SkippedPath = z.strictObject({
  path: z.string(),
  reason: z.enum(['ignored', 'secret', 'dependency', 'repository', 'link_outside', 'special', 'unreadable']),
});
export type SkippedPath = z.infer<typeof SkippedPath>;

/** A snapshot that was taken. `root` is the folder's absolute real path; `skipped` is bounded, `skipped_count` is not. */
export const Snapshot = z.strictObject({
  tree: TreeId,
  root: z.string(),
  files: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  skipped: z.array(SkippedPath),
  skipped_count: z.number().int().nonnegative(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** One path that could not be merged or applied, with what each side has there. */
export const Conflict = z.strictObject({
  path: WorkspacePath,
  reason: z.string(),
  sides: z.array(FileState.nullable()),
});
export type Conflict = z.infer<typeof Conflict>;

function staysInside(path: string): boolean {
  if (path.includes('\0') || path.includes('\\')) return false;
  return path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}
