// What is too large is refused by name, with what may be done about it, and keeps nothing else from going on: a request at the door, and the result of a leaf.
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { filesProfiles } from '#shared/adapters/local/files-profiles.ts';
import { HarnessPackage } from '#shared/contracts/profile.ts';
import { STEPS } from '#shared/contracts/steps.ts';
import type { House } from '#test/conformance/house.ts';
import { lettersOf, openDeployedHouse } from './deployed-house.ts';
import { setVariables } from './lambda.ts';

/** More than a change may have, and more than its function has memory for if it were read. */
const FLOOD = 'head -c 64000001 /dev/zero > flood.bin';

const ONCE = { keep: 'always', repeat: 1 } as const;

/** The scripted harness by another name, which writes a file of that size where it is to write another. */
const flooding = async (): Promise<HarnessPackage> => {
  const packages = await filesProfiles(path.resolve('harnesses')).all();
  const text = JSON.stringify(packages.find(({ name }) => name === 'certification')).replaceAll('certif', 'inund');
  const had = HarnessPackage.parse(JSON.parse(text));
  const step = { call: { tool: 'shell.run', arguments: { command: FLOOD } }, note: 'writes a large file', ...ONCE };
  const tools = had.tools.map((tool) =>
    tool.name === 'accept' ? { ...tool, needs: { tools: ['shell.run'] }, steps: [step] } : tool,
  );
  return { ...had, tools };
};

/** A process goes by the packages that it has read for a minute; those that a function gets with other variables are new. */
const renew = async (): Promise<void> => {
  const readers = Object.entries(STEPS).filter(([, { ports }]) => 'profiles' in ports);
  for (const [name] of readers)
    onTestFinished(await setVariables(`hca-dev-${name}`, (had) => ({ ...had, RENEWED: 'yes' })));
};

describe.runIf(process.env.HCA_TEST_STACKS !== undefined)('what is too large', () => {
  let house: House;
  beforeAll(async () => {
    house = await openDeployedHouse();
  });
  afterAll(() => house.close());

  it('is refused at the door, by the size that it takes', async () => {
    const criteria = Array.from({ length: 500 }, () => 'x'.repeat(9_000));
    const large = house.door().call('_hca/task/plan', { goal: 'certify: accept', workspace: house.folder(), criteria });
    await expect(large).rejects.toMatchObject({ code: 'HcaTooLarge', field: 'frame', remedy: 'send less at once' });
  });

  it('is what ends its task, if it is an artifact, and no other', async () => {
    const flood = await flooding();
    await house.door().call('_hca/harness/put', { package: flood });
    await house.add({ id: 'flooder', harness: flood.name, families: ['inundy-accept'] });
    await renew();
    const { view, entries } = await house.run('inundy: accept');
    expect(view.outcome).toBe('escalated');
    const said = entries.filter(({ holon, step }) => holon === 'flooder' && step === 'escalate');
    expect(said.map(({ text }) => text).join()).toContain('at most 24000000');
    expect((await house.run('certify: accept')).view.outcome).toBe('accepted');
    expect(await lettersOf(house)).toEqual([]);
  });
});
