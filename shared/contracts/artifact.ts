// Versioned artifacts: addressable by id, with hash, metadata and lineage (L1-ART-01 to L1-ART-03).
import * as z from 'zod';

/** Kinds of artifact the house itself reads. */
export const ArtifactKind = z.enum(['change-set', 'patch', 'plan', 'report', 'evidence', 'verdict', 'file']);

/** What is stored beside the bytes. `id` is `<task>/<iteration>/<name>`, `version` an integer of ours, `from` the lineage. */
export const ArtifactMeta = z.object({
  id: z.string().min(1).max(300),
  version: z.int().min(1),
  kind: ArtifactKind,
  name: z.string().min(1).max(120),
  media_type: z.string().max(120),
  sha256: z.string().length(64),
  bytes: z.int().min(0),
  task_id: z.string(),
  holon_id: z.string(),
  iteration: z.int().min(0),
  from: z.array(z.string()).max(64),
  created_at: z.int(),
});
export type ArtifactMeta = z.infer<typeof ArtifactMeta>;

/** A reference that travels in messages and machines in place of content. */
export const ArtifactRef = z.object({
  id: z.string(),
  version: z.int().min(1),
  sha256: z.string(),
  kind: ArtifactKind,
});
export type ArtifactRef = z.infer<typeof ArtifactRef>;

/** Reference to a stored artifact. */
export const refOf = (meta: ArtifactMeta): ArtifactRef => ({
  id: meta.id,
  version: meta.version,
  sha256: meta.sha256,
  kind: meta.kind,
});
