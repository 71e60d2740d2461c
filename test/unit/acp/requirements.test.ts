// The v1 requirement list, in memory: every id has a test. The same tests run over stdio, WebSocket and HTTP in test/e2e.
import { expect, it, onTestFinished } from 'vitest';
import { memoryWire } from '#test/support/acp.ts';
import { IDS, REQUIREMENTS } from '#test/support/acp-requirements.ts';
import { testDoor } from '#test/support/door.ts';

it('every id is proved, and none is made up', () => {
  expect(REQUIREMENTS.flatMap(({ ids }) => ids).toSorted()).toEqual(IDS.toSorted());
});

it.each(REQUIREMENTS.map(({ ids, level, run }) => ({ name: `${ids.join(' ')} ${level}`, run })))(
  '$name',
  async ({ run }) => {
    const at = await testDoor({ started: false });
    onTestFinished(() => at.close());
    await run({ at, connect: async () => memoryWire(at) });
  },
);
