// The holarchy compared with a file and replaced by it: what would change, and that nobody at work disappears by mistake.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { HolarchyFile } from '#shared/contracts/holon.ts';
import { type TestDoor, testDoor } from '#test/support/door.ts';
import { changedPart, whole } from '#test/support/part-changes.ts';

let at: TestDoor;
let file: HolarchyFile;
const open = async (started = true) => {
  at = await testDoor({ started });
  file = await at.ask('_hca/holarchy/show', {});
};
beforeEach(() => open());
afterEach(() => at.close());

const without = (id: string): HolarchyFile => ({ ...file, holons: file.holons.filter((card) => card.id !== id) });

const edited = (id: string, change: Partial<HolarchyFile['holons'][number]>): HolarchyFile => ({
  ...file,
  holons: file.holons.map((card) => (card.id === id ? { ...card, ...change } : card)),
});

it('says nothing of the file that is in force, in whatever order its holons and fields stand', async () => {
  const turned = {
    ...file,
    holons: file.holons
      .toReversed()
      .map((card) => Object.fromEntries(Object.entries(card).toReversed()) as typeof card),
  };
  expect(await at.ask('_hca/holarchy/diff', { file: turned })).toEqual({ changes: [], open: [] });
  expect(await at.ask('_hca/holarchy/apply', { file: turned })).toMatchObject({ applied: false, changes: [] });
});

it('names holons added and removed, and what changed field by field, of the policy too', async () => {
  const next: HolarchyFile = {
    ...edited('turner', { capacity: 5, families: ['turn', 'left'] }),
    policy: { ...file.policy, paths: { ...file.policy.paths, write: ['src/**'] } },
  };
  const lefty = next.holons.find(({ id }) => id === 'lefty')!;
  next.holons = [...next.holons.filter(({ id }) => id !== 'lefty'), { ...lefty, id: 'newcomer' }];
  const { changes } = await at.ask('_hca/holarchy/diff', { file: next });
  expect(changes).toEqual([
    changedPart('policy', '', { 'paths.write': ['["**"]', '["src/**"]'] }),
    whole('removed', 'holon', 'lefty'),
    changedPart('holon', 'turner', { families: ['["turn"]', '["turn","left"]'], capacity: ['10000', '5'] }),
    whole('added', 'holon', 'newcomer'),
  ]);
  expect(await at.ask('_hca/holarchy/show', {})).toEqual(file);
  expect(await at.ask('_hca/holarchy/apply', { file: next })).toMatchObject({ applied: true, changes, root: 'root' });
  expect((await at.ask('_hca/holarchy/diff', { file: next })).changes).toEqual([]);
});

it('refuses a holon whose harness nobody has put, and changes nothing', async () => {
  const next = edited('turner', { harness: 'nobodys' });
  const refusal = { data: { code: 'HcaBadInput', field: expect.stringMatching(/^holons\[\d+\]\.harness$/) } };
  await expect(at.ask('_hca/holarchy/apply', { file: next, force: true })).rejects.toMatchObject(refusal);
  expect(await at.ask('_hca/holarchy/show', {})).toEqual(file);
});

it('refuses a file that is no holarchy, for looking as for applying', async () => {
  const headless = without('root');
  for (const method of ['_hca/holarchy/diff', '_hca/holarchy/apply'] as const)
    await expect(at.ask(method, { file: headless })).rejects.toMatchObject({
      data: { code: 'HcaBadInput', field: expect.stringContaining('holons') },
    });
});

it('keeps a holon with open tasks until it has drained, or it is forced', async () => {
  await at.close();
  await open(false);
  const { task } = await at.ask('_hca/task/submit', { goal: 'take the turn', workspace: '/w' });
  await at.house.ports.tasks.put({
    ...(await recordOf(task)),
    id: at.house.ports.clock.ulid(),
    root: task,
    holon: 'turner',
  });
  const next = without('turner');
  expect(await at.ask('_hca/holarchy/diff', { file: next })).toMatchObject({ open: [{ holon: 'turner', open: 1 }] });
  await expect(at.ask('_hca/holarchy/apply', { file: next })).rejects.toMatchObject({
    message: 'the holon "turner" has 1 open task and is not in the file',
    data: { code: 'HcaRefused', field: 'holons', remedy: expect.stringContaining('state: draining') },
  });
  expect(await at.ask('_hca/holarchy/show', {})).toEqual(file);
  const draining = edited('turner', { state: 'draining' });
  expect(await at.ask('_hca/holarchy/apply', { file: draining })).toMatchObject({ applied: true, open: [] });
  expect(await at.ask('_hca/holarchy/apply', { file: next, force: true })).toMatchObject({ applied: true });
  expect((await at.ask('_hca/holon/list', {})).holons.map(({ id }) => id)).not.toContain('turner');
});

const recordOf = async (id: string) => {
  const record = await at.house.ports.tasks.load('local', id);
  if (record?.kind !== 'task') throw new Error(`${id} is no task`);
  return record;
};
