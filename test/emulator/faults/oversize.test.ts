// What is too large is refused by name, with what may be done about it, and keeps nothing else from going on: a request at the door, and the result of a leaf.
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesProfiles } from '#shared/adapters/local/files-profiles.ts';
import type { House } from '#test/conformance/house.ts';
import { lettersOf, openDeployedHouse } from './deployed-house.ts';

const ACCEPT = 'certify: accept';
/** More than a change may have, and nearly more than its function has memory for if it were read. */
const FLOOD = 'head -c 64000001 /dev/zero > flood.bin && echo done > certified.txt';

/** A newer version of the scripted harness, which writes a file that is larger than what can be stored. */
const flooding = async () => {
  const packages = await filesProfiles(path.resolve('harnesses')).all();
  const had = packages.find(({ name }) => name === 'certification')!;
  const step = { call: { tool: 'shell.run', arguments: { command: FLOOD } }, note: 'writes a large file' };
  const tools = had.tools.map((tool) =>
    tool.name === 'accept' ? { ...tool, needs: { tools: ['shell.run'] }, steps: [step] } : tool,
  );
  return { ...had, version: had.version + 1, tools };
};

describe.runIf(process.env.HCA_TEST_STACKS !== undefined)('what is too large', () => {
  let house: House;
  beforeAll(async () => {
    house = await openDeployedHouse();
  });
  afterAll(() => house.close());

  it('is refused at the door, by the size that it takes', async () => {
    const criteria = Array.from({ length: 500 }, () => 'x'.repeat(9_000));
    const large = house.door().call('_hca/task/plan', { goal: ACCEPT, workspace: house.folder(), criteria });
    await expect(large).rejects.toMatchObject({ code: 'HcaTooLarge', field: 'frame', remedy: 'send less at once' });
  });

  it('is what ends its task, if it is an artifact, and no other', async () => {
    await house.door().call('_hca/harness/put', { package: await flooding() });
    const { view, entries } = await house.run(ACCEPT);
    expect(view.outcome).toBe('escalated');
    const said = entries.filter(({ holon, step }) => holon === 'scripted' && step === 'escalate');
    expect(said.map(({ text }) => text).join()).toContain('at most 24000000');
    expect((await house.run('certify: stall for 0 seconds')).view.outcome).toBe('accepted');
    expect(await lettersOf(house)).toEqual([]);
  });
});
