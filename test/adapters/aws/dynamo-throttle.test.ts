// What a person has left is counted in one place for all processes of the door: exactly, unless requests overtake each other again and again.
import { expect, onTestFinished, test } from 'vitest';
import { queryItems } from '#shared/adapters/aws/dynamo-query.ts';
import { dynamoThrottle } from '#shared/adapters/aws/dynamo-throttle.ts';
import { systemClock } from '#shared/adapters/local/system-clock.ts';
import { Limits } from '#shared/contracts/limits.ts';
import { rateOf } from '#shared/domain/rate-limit.ts';
import { meanwhile } from './crash.ts';
import { openRig } from './rig.ts';

const START = 1_700_000_000_000;
const RATE = { most: 3, refill_ms: 3000 };
const ANN = { tenant: 'acme', subject: 'ann', scopes: ['read' as const] };

/** Two processes with a client of their own to think of, the same table, and one clock. */
const open = async () => {
  const rig = await openRig(['sessions']);
  onTestFinished(() => rig.close());
  const table = rig.table('sessions');
  const time = { now: START };
  const clock = systemClock(() => time.now);
  const [one, other] = [dynamoThrottle(table, clock), dynamoThrottle(table, clock)];
  const left = async () => {
    const items = await queryItems(table, { where: '#sk = :sk AND #pk = :pk', values: { sk: 'frame', pk: PK } });
    return items[0];
  };
  return { rig, time, one, other, left };
};

const PK = 'acme#paced#SZFeDX1LQC4wF9AQvBwOg8rGx5fWwW5mNA_jJoaTpqE';

test('two processes count for the same person, who then waits until there is one again', async () => {
  const { time, one, other } = await open();
  expect(await one(ANN, 'frame', RATE)).toBe(0);
  expect(await other(ANN, 'frame', RATE)).toBe(0);
  expect(await one(ANN, 'frame', RATE)).toBe(0);
  expect(await other(ANN, 'frame', RATE)).toBe(1000);
  time.now += 400;
  expect(await one(ANN, 'frame', RATE)).toBe(600);
  time.now += 600;
  expect(await other(ANN, 'frame', RATE)).toBe(0);
  expect(await one(ANN, 'frame', RATE)).toBe(1000);
});

test('what is counted is a person’s of a tenant, and each thing by itself', async () => {
  const { one } = await open();
  for (let n = 0; n < 3; n += 1) await one(ANN, 'frame', RATE);
  expect(await one({ ...ANN, subject: 'bob' }, 'frame', RATE)).toBe(0);
  expect(await one({ ...ANN, tenant: 'other' }, 'frame', RATE)).toBe(0);
  expect(await one(ANN, 'prompt', rateOf(Limits.parse({}), 'prompt'))).toBe(0);
  expect(await one(ANN, 'frame', RATE)).toBe(1000);
});

test('who is overtaken once counts all the same', async () => {
  const { rig, one, other, left } = await open();
  meanwhile(rig, 1, () => other(ANN, 'frame', RATE));
  expect(await one(ANN, 'frame', RATE)).toBe(0);
  expect(await left()).toMatchObject({ left: 1, at: START, version: 2 });
});

test('who is overtaken each time is let through uncounted', async () => {
  const { rig, one, other, left } = await open();
  let overtaken = 0;
  let inside = false;
  rig.around = async (command, send) => {
    if (command === 'Put' && !inside) {
      inside = true;
      overtaken += 1;
      await other(ANN, 'frame', RATE);
      inside = false;
    }
    return send();
  };
  expect(await one(ANN, 'frame', RATE)).toBe(0);
  expect(overtaken).toBe(2);
  expect(await left()).toMatchObject({ left: 1, version: 2 });
});

test('of many at once nobody fails, and who comes after them waits', async () => {
  const { one, other } = await open();
  const waits = await Promise.all(Array.from({ length: 24 }, (_, n) => (n % 2 ? one : other)(ANN, 'frame', RATE)));
  expect(waits.filter((wait) => wait === 0).length).toBeGreaterThanOrEqual(3);
  for (let n = 0; n < 3; n += 1) await one(ANN, 'frame', RATE);
  expect(await other(ANN, 'frame', RATE)).toBe(1000);
});

test('a bucket nobody takes from expires: a full one need not be kept', async () => {
  const { one, left } = await open();
  await one(ANN, 'frame', RATE);
  expect((await left())?.expires_at).toBe(START / 1000 + 86_400);
});
