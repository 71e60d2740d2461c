// The first version of an artifact from what a step hands over, checked before anything is stored (L1-ART-01, L1-ART-02).
import { ArtifactMeta } from '#shared/contracts/artifact.ts';
import { HcaFault } from '#shared/contracts/errors.ts';

/** What a step says of it. */
interface Handed extends Pick<ArtifactMeta, 'name' | 'kind' | 'media_type' | 'iteration' | 'from'> {
  task: string;
  holon: string;
}

/** What the store adds; `created_at` in ms of the epoch. */
type Found = Pick<ArtifactMeta, 'sha256' | 'bytes' | 'created_at'>;

/** Its metadata as version 1. @throws HcaFault HcaBadInput naming the field */
export const firstVersion = ({ task, holon, ...handed }: Handed, found: Found): ArtifactMeta => {
  const { name, kind, media_type, iteration, from } = handed;
  const id = `${task}/${iteration}/${name}`;
  const about = { name, kind, media_type, iteration, from, task_id: task, holon_id: holon };
  const parsed = ArtifactMeta.safeParse({ id, version: 1, ...about, ...found });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new HcaFault('HcaBadInput', {
    message: `artifact ${id}: ${issue?.message ?? 'not valid'}`,
    field: issue?.path.join('.') ?? 'artifact',
    cause: parsed.error,
  });
};

/** The fault of an artifact, or of a version of one, that is not there. */
export const noArtifact = (id: string, version?: number): HcaFault =>
  new HcaFault('HcaNotFound', {
    message: version === undefined ? `there is no artifact ${id}` : `there is no version ${version} of artifact ${id}`,
    field: 'artifact',
  });
