// `npm run deploy` as a person types it, in an account that is not ready: it says the remedy, ends with an error, and has made nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { awsEnvironment } from '#scripts/emulator/cdk.ts';
import { leftBehind } from '#scripts/emulator/leftovers.ts';
import { type Emulator, startEmulator } from '#scripts/emulator/running.ts';

/** An emulator of its own, since the one of the tier is bootstrapped. */
describe.runIf(process.env.HCA_TEST_EMULATOR === 'ministack')('an account without bootstrap', () => {
  let account: Emulator;
  beforeAll(async () => {
    account = await startEmulator({ repairs: true });
  });
  afterAll(() => account.stop());

  it.each(['deploy', 'diff'])(
    'is told how to become ready by %s, before anything is built or made',
    async (command) => {
      const args = ['--disable-warning=ExperimentalWarning', `scripts/${command}.ts`, '--env', 'dev'];
      const child = spawn(process.execPath, args, {
        env: awsEnvironment(account.endpoint),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [out, err, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      const remedy = 'This account is not ready for CDK in us-east-1. Once per account and region: npx cdk bootstrap\n';
      expect({ out, err, exit }).toEqual({ out: '', err: remedy, exit: 2 });
      expect(await leftBehind(account.endpoint)).toEqual([]);
    },
  );
});
