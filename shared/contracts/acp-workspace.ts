// Work on a folder of another machine: its content is handed over piece by piece, by hash, so that what is there is not sent again and an upload
// that broke off goes on where it was; or it comes from a git server (architecture 9). Rows of the northbound door.
import * as z from 'zod';
import type { MethodRow } from './acp-host.ts';
import { TreeEntry, TreeId } from './workspace.ts';

/** An absolute path of a folder. */
export const FolderPath = z
  .string()
  .max(4096)
  .regex(/^\/[^\0]*$/, 'a workspace is an absolute path');

/** `credential` names a secret of the host that its server asks for; the secret itself is never sent. */
export const GitSource = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(2000),
  ref: z
    .string()
    .regex(/^(?!.*\.\.)[A-Za-z0-9][\w./-]{0,200}$/, 'a branch, a tag or a commit')
    .default('HEAD'),
  credential: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]{0,100}$/, 'the name of a secret')
    .optional(),
});
export type GitSource = z.infer<typeof GitSource>;

/** A folder of the host; or content that was handed over, with the folder of the person's machine it was taken from; or a git server's. */
export const GivenWorkspace = z.union([
  FolderPath,
  z.strictObject({ path: FolderPath }),
  z.strictObject({ tree: TreeId, root: FolderPath }),
  z.strictObject({ git: GitSource }),
]);
export type GivenWorkspace = z.infer<typeof GivenWorkspace>;

/** A content by its SHA-256 and its size. */
export const Content = TreeEntry.pick({ sha256: true, bytes: true });
export type Content = z.infer<typeof Content>;

/** At most this many contents in one question. */
export const MOST_CONTENTS = 500;
/** At most this many bytes of content in one frame, before base64. */
export const PIECE_BYTES = 192 * 1024;

/** What a snapshot holds, as it is handed over: a content like any other. */
export const Manifest = z.array(TreeEntry);

export const WORKSPACE_METHODS = {
  '_hca/workspace/missing': {
    params: z.object({ contents: z.array(Content).max(MOST_CONTENTS) }),
    result: z.object({
      missing: z.array(TreeId),
      uploads: z.array(z.object({ sha256: TreeId, url: z.string(), headers: z.record(z.string(), z.string()) })),
    }),
    scope: 'submit',
    summary: 'Which contents of a folder are not here yet, and where they may be sent to directly.',
    command: 'run',
  },
  '_hca/workspace/put': {
    params: z.object({ base64: z.base64().max(4 * Math.ceil(PIECE_BYTES / 3)) }),
    result: z.object({ sha256: TreeId }),
    scope: 'submit',
    summary: 'Stores a content of a folder; again is the same.',
    command: 'run',
  },
  '_hca/workspace/join': {
    params: Content.extend({ pieces: z.array(Content).min(1).max(10_000) }),
    result: z.object({ sha256: TreeId }),
    scope: 'submit',
    summary: 'Puts a large content together from pieces that are here.',
    command: 'run',
  },
  '_hca/workspace/tree': {
    params: z.object({ manifest: Content }),
    result: z.object({ tree: TreeId, files: z.int() }),
    scope: 'submit',
    summary: 'Makes a snapshot of contents that are here; the manifest that lists them is one of them.',
    command: 'run',
  },
} as const satisfies Record<string, MethodRow>;
