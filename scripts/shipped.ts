// What is laid beside the bundle of a function that reads packages or cards (shared/adapters/aws/shipped.ts): checked here, as on the embedded host.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readHolarchy } from '#local/open-house.ts';
import { filesProfiles } from '#shared/adapters/local/files-profiles.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Text of each file by the port that reads it. @throws HcaFault HcaBadInput naming file and field of what is not sound */
export const shippedTexts = async (): Promise<Readonly<Record<string, { file: string; text: string }>>> => ({
  profiles: {
    file: 'harnesses.json',
    text: JSON.stringify(await filesProfiles(path.join(ROOT, 'harnesses')).all()),
  },
  holons: { file: 'holarchy.json', text: JSON.stringify(readHolarchy(path.join(ROOT, 'hca.config.yaml'))) },
});

/** Lays into a bundle's folder what its ports read. */
export const layShipped = (
  folder: string,
  ports: readonly string[],
  texts: Awaited<ReturnType<typeof shippedTexts>>,
): void => {
  for (const port of ports) {
    const shipped = texts[port];
    if (shipped !== undefined) writeFileSync(path.join(folder, shipped.file), shipped.text);
  }
};
