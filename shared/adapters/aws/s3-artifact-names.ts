// Where an artifact lies in the bucket: `<tenant>/<task>/<iteration>/<name>/v<version>` (L1-ART-01).
import { createHash } from 'node:crypto';

/** `<tenant>/<task>/<iteration>/<name>`: below it lie the versions of an artifact. */
export const artifactFolder = (tenant: string, id: string): string => {
  const [task = '', iteration = '', ...name] = id.split('/');
  return `${tenant}/${task}/${iteration}/${segmentOf(name.join('/'))}`;
};

/** The key of one version. */
export const versionKey = (tenant: string, id: string, version: number): string =>
  `${artifactFolder(tenant, id)}/v${version}`;

/** The version that a key ends with; null for a key that is no version. */
export const versionOf = (key: string): number | null => {
  const ending = /\/v(\d+)$/.exec(key)?.[1];
  return ending === undefined ? null : Number(ending);
};

/** Of 1,024 bytes of a key, tenant, task and iteration take less than 200. */
const SEGMENT_BYTES = 400;

/** A name as one segment of a key: what could be read as a path, or is no ASCII, is spelt in hexadecimal; what is then too long is named by its hash. */
function segmentOf(name: string): string {
  const spelt = name.replace(/^\.|[^A-Za-z0-9._-]/gu, spellOut);
  return spelt.length <= SEGMENT_BYTES ? spelt : `!!${createHash('sha256').update(name).digest('hex')}`;
}

const spellOut = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `!${byte.toString(16).padStart(2, '0')}`).join('');
