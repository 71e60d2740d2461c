// Harness packages through the door: what is in force, what a package would change, put and taken back; and what is refused, with field and remedy.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';
import { noOpHarness } from '#test/support/no-op-house.ts';
import { changedPart, whole } from '#test/support/part-changes.ts';

let at: TestDoor;
beforeEach(async () => {
  at = await testDoor();
});
afterEach(() => at.close());

const changed = (change: Partial<HarnessPackage>): HarnessPackage => ({ ...noOpHarness, version: 2, ...change });

/** A package of its own, with a family that nobody else has. */
const another = (name = 'another'): HarnessPackage => ({
  ...noOpHarness,
  name,
  families: [{ ...noOpHarness.families[0]!, name: 'jump', grammar: { clause: ['jump up => done'] } }],
  tools: [{ ...noOpHarness.tools[0]!, families: ['jump'] }],
});

const withLeaf = async (harness: string) => {
  const file = await at.ask('_hca/holarchy/show', {});
  const leaf = { ...file.holons.find(({ id }) => id === 'turner')!, id: 'jumper', harness, families: ['jump'] };
  return { ...file, holons: [...file.holons, leaf] };
};

describe('what is in force', () => {
  it('is listed with where it comes from, its families, its tools, and who works with it', async () => {
    await at.ask('_hca/harness/put', { package: changed({ title: 'ours' }) });
    const { harnesses } = await at.ask('_hca/harness/list', {});
    expect(harnesses).toEqual([
      {
        name: 'no-op',
        version: 2,
        title: 'ours',
        origin: 'own',
        replaces: 1,
        families: ['turn', 'left', 'right'],
        tools: ['turn'],
        holons: ['lefty', 'righty', 'turner'],
      },
    ]);
    expect(await at.ask('_hca/harness/show', { name: 'no-op' })).toMatchObject({
      origin: 'own',
      package: { version: 2, title: 'ours' },
    });
    await expect(at.ask('_hca/harness/show', { name: 'nobody' })).rejects.toMatchObject({
      data: { code: 'HcaNotFound', field: 'harness', remedy: 'one of: no-op' },
    });
  });
});

describe('putting a package', () => {
  it('says what changes, part by part and field by field; checking it says the same and changes nothing', async () => {
    const [turn, left] = noOpHarness.families;
    const next = changed({
      families: [{ ...turn!, title: 'turns around' }, left!],
      criteria: [...noOpHarness.criteria, { name: 'free', use: 'nothing', text: 'nothing more' }],
      tools: [{ ...noOpHarness.tools[0]!, families: ['turn', 'left'], rank: 2 }],
      profile: { ...noOpHarness.profile, verification: { ...noOpHarness.profile.verification, retries: 5 } },
    });
    const said = await at.ask('_hca/harness/check', { package: next });
    expect(said).toEqual({
      name: 'no-op',
      version: 2,
      was: 1,
      changes: [
        changedPart('profile', '', { 'verification.retries': ['3', '5'] }),
        changedPart('family', 'turn', { title: ['"takes the turn"', '"turns around"'] }),
        whole('removed', 'family', 'right'),
        changedPart('tool', 'turn', { families: ['["turn","left","right"]', '["turn","left"]'], rank: ['1', '2'] }),
        whole('added', 'criterion', 'free'),
      ],
    });
    expect((await at.ask('_hca/harness/list', {})).harnesses[0]).toMatchObject({ version: 1, origin: 'shipped' });
    expect(await at.ask('_hca/harness/put', { package: next })).toEqual({ ...said, stored: true });
    expect(await at.ask('_hca/harness/put', { package: next })).toMatchObject({ changes: [], stored: false });
  });

  it('needs a higher version for other content, and never takes a lower one', async () => {
    for (const version of [1, 2]) {
      const title = `version ${version}`;
      await expect(at.ask('_hca/harness/put', { package: { ...noOpHarness, title } })).rejects.toMatchObject({
        data: { code: 'HcaRefused', field: 'version', remedy: `write "version: ${version + 1}" into harness.yaml` },
      });
      await at.ask('_hca/harness/put', { package: { ...noOpHarness, title, version: version + 1 } });
    }
    await expect(at.ask('_hca/harness/check', { package: changed({}) })).rejects.toMatchObject({
      data: { field: 'version', remedy: 'write "version: 4" into harness.yaml' },
    });
    expect(await at.ask('_hca/harness/put', { package: changed({ version: 9, title: 'version 2' }) })).toMatchObject({
      changes: [],
      stored: true,
    });
  });

  it('refuses a family that another package has, since it would be chance which of them does it', async () => {
    await expect(at.ask('_hca/harness/put', { package: { ...noOpHarness, name: 'copy' } })).rejects.toMatchObject({
      data: { code: 'HcaRefused', field: 'families.turn', remedy: expect.stringContaining('the name no-op') },
    });
    expect((await at.ask('_hca/harness/list', {})).harnesses).toHaveLength(1);
  });

  it.each([
    ['a field with a wrong value', { version: 0 }, 'package.version'],
    ['an unknown field', { colour: 'red' }, 'package'],
    ['a name that leads elsewhere', { name: '../x' }, 'package.name'],
    ['no family at all', { families: [] }, 'package.families'],
    ['a tool for a family that is not there', { tools: another().tools }, 'package.tools.turn.families'],
    ['a criterion that nobody knows', { criteria: [] }, 'package.families.turn.grammar.clause'],
  ])('refuses one that is not sound: %s', async (_what, change, field) => {
    const harness = { ...noOpHarness, version: 2, ...change } as HarnessPackage;
    await expect(at.ask('_hca/harness/put', { package: harness })).rejects.toMatchObject({
      data: { code: 'HcaBadInput', field, remedy: expect.stringMatching(/./) },
    });
    expect((await at.ask('_hca/harness/list', {})).harnesses[0]).toMatchObject({ version: 1 });
  });

  it('is for whoever runs the host, where tenants share the packages', async () => {
    const shared = { ...at.door, keeper: 'main' };
    Object.assign(at.door, shared);
    await expect(at.ask('_hca/harness/put', { package: changed({ title: 'x' }) })).rejects.toMatchObject({
      data: { code: 'HcaDenied', field: 'tenant', remedy: expect.stringContaining('"main"') },
    });
    await expect(at.ask('_hca/harness/remove', { name: 'no-op' })).rejects.toMatchObject({
      data: { code: 'HcaDenied' },
    });
    await at.ask('_hca/harness/put', { package: changed({ title: 'x' }) }, { ...OWNER, tenant: 'main' });
    expect((await at.ask('_hca/harness/show', { name: 'no-op' })).package.title).toBe('x');
  });
});

describe('taking a package back', () => {
  it('brings back the one that comes with hca', async () => {
    await at.ask('_hca/harness/put', { package: changed({ title: 'ours' }) });
    expect(await at.ask('_hca/harness/remove', { name: 'no-op' })).toEqual({ name: 'no-op', back: 1 });
    expect((await at.ask('_hca/harness/list', {})).harnesses[0]).toMatchObject({ version: 1, origin: 'shipped' });
  });

  it('refuses the one that comes with hca, one that is not there, and one that somebody works with', async () => {
    await expect(at.ask('_hca/harness/remove', { name: 'no-op' })).rejects.toMatchObject({
      data: { code: 'HcaRefused', remedy: expect.stringContaining('to replace it') },
    });
    await expect(at.ask('_hca/harness/remove', { name: 'another' })).rejects.toMatchObject({
      data: { code: 'HcaNotFound', remedy: 'one of: no-op' },
    });
    await at.ask('_hca/harness/put', { package: another() });
    const before = await at.ask('_hca/holarchy/show', {});
    await at.ask('_hca/holarchy/apply', { file: await withLeaf('another') });
    await expect(at.ask('_hca/harness/remove', { name: 'another' })).rejects.toMatchObject({
      data: { code: 'HcaRefused', remedy: expect.stringContaining('hca holarchy apply') },
      message: expect.stringContaining('jumper'),
    });
    await at.ask('_hca/holarchy/apply', { file: before });
    expect(await at.ask('_hca/harness/remove', { name: 'another' })).toEqual({ name: 'another', back: null });
  });
});
