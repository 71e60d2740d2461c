// Commands of many sessions share the processor: never more at once than there are turns, in order, and a failure gives its turn back.
import { expect, test } from 'vitest';
import { Turns } from '#shared/adapters/local/sandbox/turns.ts';

test('runs as many at once as there are turns, and never more', async () => {
  const turns = new Turns(2);
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const work = (n: number) => async () => {
    running += 1;
    most = Math.max(most, running);
    order.push(n);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    if (n === 1) throw new Error('failed');
    return n;
  };
  const results = await Promise.allSettled([0, 1, 2, 3, 4].map((n) => turns.take(work(n))));
  expect(most).toBe(2);
  expect(order).toEqual([0, 1, 2, 3, 4]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
});
