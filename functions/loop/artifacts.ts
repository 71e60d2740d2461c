// Artifacts as steps store and read them: a change set with its git patch beside it, and JSON by reference.
import type * as z from 'zod';
import { type ArtifactRef, refOf } from '#shared/contracts/artifact.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { ChangeSet } from '#shared/contracts/workspace.ts';
import { toPatch } from '#shared/domain/patch.ts';
import type { Artifacts, ArtifactsRead } from '#shared/ports/artifacts.ts';

interface Owner {
  tenant: string;
  id: string;
  holon: string;
  iteration: number;
}

/** Stores a change set and the patch a person reads; both carry task, holon and lineage (L1-ART-01 to L1-ART-03). */
export const storeChange = async (
  owner: Owner,
  what: { changes: ChangeSet; name: string; from: string[] },
  ports: { artifacts: Artifacts },
): Promise<{ artifact: ArtifactRef; patch: ArtifactRef }> => {
  const common = { task: owner.id, holon: owner.holon, iteration: owner.iteration, from: what.from };
  const changes = await ports.artifacts.put(owner.tenant, {
    ...common,
    name: `${what.name}.json`,
    kind: 'change-set',
    media_type: 'application/json',
    body: JSON.stringify(what.changes),
  });
  const patch = await ports.artifacts.put(owner.tenant, {
    ...common,
    from: [changes.id],
    name: `${what.name}.patch`,
    kind: 'patch',
    media_type: 'text/x-patch',
    body: toPatch(what.changes),
  });
  return { artifact: refOf(changes), patch: refOf(patch) };
};

/** Stores a JSON document as an artifact of the step that made it. */
export const storeJson = async (
  owner: Owner,
  what: { name: string; kind: 'evidence' | 'plan' | 'verdict' | 'report'; body: unknown },
  ports: { artifacts: Artifacts },
): Promise<ArtifactRef> =>
  refOf(
    await ports.artifacts.put(owner.tenant, {
      task: owner.id,
      holon: owner.holon,
      iteration: owner.iteration,
      name: what.name,
      kind: what.kind,
      media_type: 'application/json',
      from: [],
      body: JSON.stringify(what.body),
    }),
  );

/** Reads a JSON artifact by reference and checks it against its contract; throws HcaCorrupt when it does not hold. */
export const readJson = async <T extends z.ZodType>(
  tenant: string,
  what: { ref: ArtifactRef; schema: T },
  ports: { artifacts: ArtifactsRead },
): Promise<z.infer<T>> => {
  const bytes = await ports.artifacts.bytes(tenant, what.ref.id, what.ref.version);
  const parsed = what.schema.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  if (parsed.success) return parsed.data;
  throw new HcaFault('HcaCorrupt', {
    message: `artifact ${what.ref.id}@${what.ref.version} is not what it says: ${parsed.error.message}`,
  });
};
