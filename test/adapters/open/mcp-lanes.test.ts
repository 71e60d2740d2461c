// What a lane may do at most, whatever the policy says: a reviewer repeats checks, and only those that the producer could run (harness layer 4).
import { describe, expect, it } from 'vitest';
import { toolBench, WORKING } from './tool-bench.ts';

describe('a reviewer', () => {
  const network = { access: 'allow' as const, hosts: ['**'] };

  it('runs again what a policy with an open network let the producer run', async () => {
    const { call } = await toolBench({ a: '' });
    const policy = { ...WORKING, side_effects: 'external_write' as const, network };
    for (const lane of ['worker', 'reviewer'])
      expect(await call('shell.run', { command: 'true' }, { policy, lane }), lane).toMatchObject({ status: 'ok' });
  });

  it('runs nothing that the policy would not let the producer run', async () => {
    const { call } = await toolBench({ a: '' });
    const policy = { ...WORKING, side_effects: 'local_write' as const, network };
    for (const lane of ['worker', 'reviewer'])
      expect(await call('shell.run', { command: 'true' }, { policy, lane }), lane).toMatchObject({
        rule: 'side_effects:local_write',
      });
  });

  it('and no lane below it runs anything', async () => {
    const { call } = await toolBench({ a: '' });
    const policy = { ...WORKING, side_effects: 'external_write' as const, network };
    for (const lane of ['planner', 'main-chat'])
      expect(await call('shell.run', { command: 'true' }, { policy, lane })).toMatchObject({ rule: `lane:${lane}` });
  });
});
