// What every DynamoDB adapter stands on: vendor errors are faults that name the table, answers are complete, sizes are checked before the call.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { getItems, putItems } from '#shared/adapters/aws/dynamo-batch.ts';
import { countItems, queryItems } from '#shared/adapters/aws/dynamo-query.ts';
import { dynamoClient, getItem, putItem, updateItem } from '#shared/adapters/aws/dynamo-table.ts';
import { dynamoTasks } from '#shared/adapters/aws/dynamo-tasks.ts';
import { systemClock } from '#shared/adapters/local/system-clock.ts';
import { failsHere } from '#test/support/endpoint.ts';
import { rootId, TENANT, task } from '../suites/samples.ts';
import { vendorError } from './crash.ts';
import { openRig } from './rig.ts';

const open = async () => {
  const rig = await openRig(['tasks']);
  onTestFinished(() => rig.close());
  return { rig, table: rig.table('tasks') };
};
const key = { pk: 'local#1', sk: 'a' };

test.each([
  ['ProvisionedThroughputExceededException', {}, 'HcaThrottled'],
  ['ThrottlingException', {}, 'HcaThrottled'],
  ['RequestLimitExceeded', {}, 'HcaThrottled'],
  ['InternalServerError', {}, 'HcaUnavailable'],
  ['TimeoutError', {}, 'HcaUnavailable'],
  ['Error', { code: 'ECONNREFUSED' }, 'HcaUnavailable'],
  ['SomethingNew', { $metadata: { httpStatusCode: 503 } }, 'HcaUnavailable'],
  ['AccessDeniedException', {}, 'HcaInternal'],
  ['ResourceNotFoundException', {}, 'HcaInternal'],
  ['UnrecognizedClientException', {}, 'HcaInternal'],
])('%s %j is %s and names the table', async (name, parts, code) => {
  const { rig, table } = await open();
  rig.around = () => Promise.reject(vendorError(name, 'said by the vendor', parts));
  const retryable = code !== 'HcaInternal';
  const fault = { code, retryable, message: expect.stringContaining(table.name), remedy: expect.any(String) };
  await expect(getItem(table, key)).rejects.toMatchObject(fault);
  await expect(putItem(table, key)).rejects.toMatchObject(fault);
  await expect(queryItems(table, { where: '#pk = :pk', values: { pk: 'x' } })).rejects.toMatchObject(fault);
});

test('a table that does not exist and an address where nobody listens are told as such', async () => {
  const { table } = await open();
  const missing = getItem({ ...table, name: 'hca-nowhere' }, key);
  await expect(missing).rejects.toMatchObject({ code: 'HcaInternal', message: expect.stringContaining('hca-nowhere') });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = dynamoClient({ endpoint: 'http://127.0.0.1:9', region: 'us-east-1', credentials });
  await expect(getItem({ client, name: 'far' }, key)).rejects.toMatchObject({
    code: 'HcaUnavailable',
    retryable: true,
  });
});

const NONSENSE = 'a request that the database does not understand is a bug and stays one';

(failsHere(NONSENSE) ? test.fails : test)(NONSENSE, async () => {
  const { table } = await open();
  const nonsense = updateItem(table, key, { set: 'SET nonsense' });
  await expect(nonsense).rejects.toMatchObject({ name: 'ValidationException' });
});

test('a client tries once: repeats are the machine’s', async () => {
  const { rig, table } = await open();
  let times = 0;
  rig.around = (_command, send) => {
    times += 1;
    return times <= 2 ? Promise.reject(vendorError('ThrottlingException')) : send();
  };
  const tasks = dynamoTasks(table, systemClock());
  for (const _ of [1, 2]) await expect(tasks.save(task(rootId(1)), 0)).rejects.toMatchObject({ code: 'HcaThrottled' });
  await tasks.save(task(rootId(1)), 0);
  expect(times).toBe(3);
});

test('an item over 400 KB is refused before the call, by its key', async () => {
  const { rig, table } = await open();
  rig.sent.length = 0;
  const large = { ...key, body: 'é'.repeat(205_000) };
  const fault = { code: 'HcaTooLarge', retryable: false, message: expect.stringContaining('local#1') };
  await expect(putItem(table, large)).rejects.toMatchObject(fault);
  const growing = updateItem(table, key, { set: 'SET #body = :body', values: { body: large.body } });
  await expect(growing).rejects.toMatchObject(fault);
  expect(rig.sent).toEqual([]);
});

test('an item that grows over the limit where it lies is too large as well', async () => {
  const { table } = await open();
  await putItem(table, { ...key, body: 'a'.repeat(300_000) });
  const growing = updateItem(table, key, { set: 'SET #more = :more', values: { more: 'b'.repeat(200_000) } });
  await expect(growing).rejects.toMatchObject({ code: 'HcaTooLarge' });
  expect(await getItem(table, key)).not.toHaveProperty('more');
});

test('answers of more than 1 MB are complete, in order, and never scanned for', async () => {
  const { rig, table } = await open();
  const item = (n: number) => ({
    pk: 'local#1',
    sk: `${100 + n}`,
    kind: n % 2 === 0 ? 'even' : 'odd',
    body: 'x'.repeat(90_000),
  });
  const items = Array.from({ length: 30 }, (_, n) => item(n));
  await putItems(table, items);
  const all = { where: '#pk = :pk', values: { pk: 'local#1' } };
  rig.sent.length = 0;
  expect(await queryItems(table, all)).toEqual(items);
  expect(rig.sent.length).toBeGreaterThan(2);
  expect((await queryItems(table, { ...all, newest: true, limit: 25 })).map(({ sk }) => sk)).toEqual(
    items
      .slice(5)
      .map(({ sk }) => sk)
      .reverse(),
  );
  const odd = { ...all, values: { ...all.values, kind: 'odd' }, only: '#kind = :kind' };
  expect(await queryItems(table, { ...odd, limit: 14 })).toHaveLength(14);
  expect(await countItems(table, all)).toBe(30);
  expect(new Set(rig.sent)).toEqual(new Set(['Query']));
});

test('batches larger than one call are whole, and a key that is asked for twice comes once', async () => {
  const { table } = await open();
  const items = Array.from({ length: 120 }, (_, n) => ({ pk: `local#${n}`, sk: 'a', n }));
  await putItems(table, items);
  const found = await getItems(table, [...items, ...items, { pk: 'local#none', sk: 'a' }]);
  expect(found.map(({ n }) => n).sort((a, b) => Number(a) - Number(b))).toEqual(items.map(({ n }) => n));
});

test('what a batch leaves undone is done in the end, or is a fault', async () => {
  const { rig, table } = await open();
  const items = Array.from({ length: 3 }, (_, n) => ({ pk: `local#${n}`, sk: 'a' }));
  const undone = { UnprocessedItems: { [table.name]: items.slice(1).map((Item) => ({ PutRequest: { Item } })) } };
  let times = 0;
  rig.around = async (_command, send) => {
    times += 1;
    return times === 1 ? undone : send();
  };
  await putItems(table, items);
  expect(times).toBe(2);
  rig.around = async () => undone;
  await expect(putItems(table, items)).rejects.toMatchObject({ code: 'HcaThrottled', retryable: true });
  const keys = { UnprocessedKeys: { [table.name]: { Keys: items } }, Responses: {} };
  rig.around = async () => keys;
  await expect(getItems(table, items)).rejects.toMatchObject({ code: 'HcaThrottled' });
});

test('records below a root are complete beyond 1 MB', async () => {
  const { table } = await open();
  const tasks = dynamoTasks(table, systemClock());
  const goal = 'g'.repeat(15_000);
  const ids = Array.from({ length: 60 }, (_, n) => `${rootId(1)}_10_${n}`);
  for (const id of ids) await tasks.put(task(id, { spec: { ...task(id).spec, goal } }));
  expect((await tasks.below(TENANT, rootId(1))).map(({ id }) => id)).toEqual(ids);
  expect(await tasks.openOf(TENANT, 'code')).toBe(60);
});

test('reads are strong wherever DynamoDB has strong ones: an index has none', async () => {
  const inputs: Record<string, unknown>[] = [];
  const send = async ({ input }: { input: Record<string, unknown> }) => {
    inputs.push(input);
    return {};
  };
  const table = { client: { send } as never, name: 'tasks' };
  await getItem(table, key);
  await queryItems(table, { where: '#pk = :pk', values: { pk: 'x' } });
  await countItems(table, { where: '#open_of = :of', values: { of: 'x' }, index: 'open' });
  await getItems(table, [key]);
  const [one, several, indexed, batch] = inputs;
  expect([one?.ConsistentRead, several?.ConsistentRead, indexed?.ConsistentRead]).toEqual([true, true, undefined]);
  expect(batch?.RequestItems).toMatchObject({ tasks: { ConsistentRead: true } });
});

test('no adapter of the cloud can scan, or needs a transaction', () => {
  const folder = 'shared/adapters/aws';
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const using = (what: RegExp) => files.filter((name) => what.test(readFileSync(`${folder}/${name}`, 'utf8')));
  expect(using(/QueryCommand/)).toEqual(['dynamo-query.ts']);
  expect(using(/ScanCommand|Transact\w+Command|PartiQL|ExecuteStatement/)).toEqual([]);
});
