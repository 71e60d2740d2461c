// `npm run deploy` as a person types it, in an account that is not ready: it says the remedy, ends with an error, and has made nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leftBehind } from '#scripts/emulator/leftovers.ts';
import { type Emulator, startEmulator } from '#scripts/emulator/running.ts';
import { byCommand } from './by-command.ts';

/** An emulator of its own, since the one of the tier is bootstrapped. */
describe.runIf(process.env.HCA_TEST_EMULATOR === 'ministack')('an account without bootstrap', () => {
  let account: Emulator;
  beforeAll(async () => {
    account = await startEmulator({ repairs: true });
  });
  afterAll(() => account.stop());

  it.each(['deploy', 'diff'] as const)(
    'is told how to become ready by %s, before anything is built or made',
    async (command) => {
      const remedy = 'This account is not ready for CDK in us-east-1. Once per account and region: npx cdk bootstrap\n';
      expect(await byCommand(account.endpoint, command, ['--env', 'dev'])).toEqual({ out: '', err: remedy, exit: 2 });
      expect(await leftBehind(account.endpoint)).toEqual([]);
    },
  );
});
