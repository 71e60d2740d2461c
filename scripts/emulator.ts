// Tier two (docs/decisions/0040): an emulator is started, the unmodified CDK app bootstrapped and deployed to it, the suites run against it
// and through the deployed door, the stacks destroyed. `npm run test:emulator`; `npm run test:localstack` does the same against LocalStack.
// An AWS_ENDPOINT_URL in the environment is used instead of starting anything. Ends with a summary; exit code 1 when anything failed.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { acquire, type Place } from './emulator/place.ts';
import { summaryOf, type Tally } from './emulator/tally.ts';
import { runTier } from './emulator/tier.ts';

const REPORTS = fileURLToPath(new URL('../.reports/', import.meta.url));

await main(process.argv.includes('--localstack'));

async function main(localstack: boolean): Promise<void> {
  rmSync(`${REPORTS}emulator.json`, { force: true });
  const place = await acquire(localstack);
  if ('reason' in place) {
    console.log(`\nTHE LOCALSTACK TIER DID NOT RUN: ${place.reason}.\nNothing was tested; nothing counts as passed.\n`);
    return;
  }
  const tally = await inPlace(place);
  writeFileSync(`${REPORTS}emulator.json`, JSON.stringify(tally, null, 2));
  console.log(summaryOf(place, tally));
  process.exitCode = tally.failed > 0 ? 1 : 0;
}

/** Ended whatever happens, also when somebody presses ^C or ends this process: a signal then ends the steps, and they end the tier. */
async function inPlace(place: Place): Promise<Tally> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => void place.stop().then(() => process.exit(130)));
  try {
    return await runTier(place);
  } finally {
    mkdirSync(REPORTS, { recursive: true });
    writeFileSync(`${REPORTS}emulator.log`, place.log());
    await place.stop();
  }
}
