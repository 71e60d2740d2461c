// Artifacts: bytes with versions, SHA-256 and lineage; created, never overwritten (L1-ART).
import type { ArtifactMeta } from '#shared/contracts/artifact.ts';

/** What a step hands over; id, version, hash and time are the store's. */
export interface NewArtifact {
  task: string;
  holon: string;
  iteration: number;
  name: string;
  kind: ArtifactMeta['kind'];
  media_type: string;
  from: string[];
  body: string | Uint8Array;
}

export interface ArtifactsRead {
  /** Metadata of one version (the newest without `version`), or undefined. */
  find(tenant: string, id: string, version?: number): Promise<ArtifactMeta | undefined>;
  /** The bytes; throws HcaNotFound, or HcaCorrupt when they no longer have their hash. */
  bytes(tenant: string, id: string, version?: number): Promise<Uint8Array>;
  /** Every artifact below a root, oldest first. */
  list(tenant: string, root: string): Promise<ArtifactMeta[]>;
}

export interface Artifacts extends ArtifactsRead {
  /** Stores a new version under `<task>/<iteration>/<name>`; the same bytes as the newest version give that version back. */
  put(tenant: string, artifact: NewArtifact): Promise<ArtifactMeta>;
}
