// The ledger on DynamoDB has no transaction: races never overspend, and a crash between any two writes is mended by the repeat (pitfalls 7 and 38).
import { expect, onTestFinished, test } from 'vitest';
import { dynamoLedger } from '#shared/adapters/aws/dynamo-ledger.ts';
import { restOf } from '#shared/domain/ledger.ts';
import { all, rootId, TENANT } from '../suites/samples.ts';
import { crashAt, meanwhile, restart, vendorError } from './crash.ts';
import { openRig } from './rig.ts';

const ROOT = rootId(1);
const CHILD = `${ROOT}_10_1`;

const open = async () => {
  const rig = await openRig(['ledger']);
  onTestFinished(() => rig.close());
  const ledger = dynamoLedger(rig.table('ledger'));
  const rest = async (task: string) => {
    const item = await ledger.read(TENANT, task);
    return item === undefined ? undefined : restOf(item).tokens;
  };
  const grant = (amount = 6, key = 'g1') =>
    ledger.grant(TENANT, { parent: ROOT, child: CHILD, key, budget: all(amount) });
  return { rig, ledger, rest, grant };
};

test('40 that reserve at once, at the same time indeed, never overspend', async () => {
  const { rig, ledger, rest } = await open();
  await ledger.open(TENANT, ROOT, all(100));
  let [running, together] = [0, 0];
  rig.around = async (_command, send) => {
    running += 1;
    together = Math.max(together, running);
    return send().finally(() => {
      running -= 1;
    });
  };
  const asked = Array.from({ length: 40 }, (_, n) => ledger.reserve(TENANT, ROOT, { key: `k${n}`, amount: all(7) }));
  const answers = await Promise.all(asked);
  expect(together).toBeGreaterThan(20);
  expect(answers.filter((granted) => granted)).toHaveLength(14);
  expect(await rest(ROOT)).toBe(2);
});

test.each([1, 2])('a grant that crashes before write %i is whole after the repeat', async (n) => {
  const { rig, ledger, rest, grant } = await open();
  await ledger.open(TENANT, ROOT, all(10));
  crashAt(rig, n);
  await expect(grant()).rejects.toThrow('crashed');
  restart(rig);
  for (const _ of [1, 2]) expect(await grant()).toBe(true);
  expect([await rest(ROOT), await rest(CHILD)]).toEqual([4, 6]);
});

test.each([1, 2])('a grant that raises a budget and crashes before write %i takes the difference once', async (n) => {
  const { rig, ledger, rest, grant } = await open();
  await ledger.open(TENANT, ROOT, all(10));
  await grant(4);
  crashAt(rig, n);
  await expect(grant(7, 'g2')).rejects.toThrow('crashed');
  restart(rig);
  for (const _ of [1, 2]) expect(await grant(7, 'g2')).toBe(true);
  expect([await rest(ROOT), await rest(CHILD)]).toEqual([3, 7]);
});

test.each([1, 2])('a closing that crashes before write %i gives back once after the repeat', async (n) => {
  const { rig, ledger, rest, grant } = await open();
  await ledger.open(TENANT, ROOT, all(10));
  await grant();
  await ledger.spend(TENANT, CHILD, { key: 's', amount: all(1) });
  crashAt(rig, n);
  await expect(ledger.close(TENANT, CHILD)).rejects.toThrow('crashed');
  restart(rig);
  for (const _ of [1, 2]) await ledger.close(TENANT, CHILD);
  expect(await rest(ROOT)).toBe(9);
  expect(await ledger.spend(TENANT, CHILD, { key: 'zombie', amount: all(1) })).toBe(false);
});

test('a child closed between the two writes of its grant gets nothing, and all of it comes back', async () => {
  const { rig, ledger, rest, grant } = await open();
  await ledger.open(TENANT, ROOT, all(10));
  const answers: string[] = [];
  meanwhile(rig, 2, async () => {
    await dynamoLedger(rig.table('ledger')).close(TENANT, CHILD);
    answers.push('closed');
  });
  expect(await grant()).toBe(false);
  expect(answers).toEqual(['closed']);
  expect(await rest(ROOT)).toBe(10);
  expect(await ledger.read(TENANT, CHILD)).toMatchObject({ closed: true });
});

test('grants and closings of many children at once add up', async () => {
  const { ledger, rest } = await open();
  await ledger.open(TENANT, ROOT, all(100));
  const life = async (n: number): Promise<void> => {
    const child = `${ROOT}_10_${n}`;
    await ledger.grant(TENANT, { parent: ROOT, child, key: `g${n}`, budget: all(8) });
    await ledger.spend(TENANT, child, { key: 's', amount: all(3) });
    await ledger.close(TENANT, child);
  };
  await Promise.all(Array.from({ length: 10 }, (_, n) => life(n)));
  expect(await rest(ROOT)).toBe(70);
});

test('whoever loses every race is told so, and may try again', async () => {
  const { rig, ledger } = await open();
  await ledger.open(TENANT, ROOT, all(100));
  const lost = vendorError('ConditionalCheckFailedException');
  rig.around = (command, send) => (command === 'Put' ? Promise.reject(lost) : send());
  const reserving = ledger.reserve(TENANT, ROOT, { key: 'k', amount: all(1) });
  await expect(reserving).rejects.toMatchObject({ code: 'HcaConflict', retryable: true });
});
