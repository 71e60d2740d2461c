// The durable bus: at least once, one consumer a method, restart, and deliveries that a test disturbs (architecture section 3).
import { describe, expect, test } from 'vitest';
import type { Timers } from '#shared/adapters/local/bus-pauses.ts';
import type { LocalOptions } from '#shared/adapters/local/ports.ts';
import type { Message } from '#shared/contracts/messages.ts';
import { cancel, delegate } from '../suites/samples.ts';
import { faultOf, newHome, openHome, quickTimers } from './home.ts';

const house = (bus: LocalOptions['bus'] = {}, folder = ':memory:') =>
  openHome({ folder, bus: { timers: quickTimers().timers, ...bus } });
const noted = (seen: string[]) => async (message: Message) => void seen.push(`${message.id} ${message.method}`);
const ids = (count: number, prefix = 'm') => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

describe('delivery', () => {
  test('a message reaches the one consumer of its method, as it was published, in order', async () => {
    const { bus } = house();
    const seen: Message[] = [];
    const others: string[] = [];
    bus.subscribe('hca/task/delegate', 'answer', async (message) => void seen.push(message));
    bus.subscribe('hca/task/cancel', 'route', noted(others));
    bus.start();
    const messages = ids(40).map((id) => delegate(id));
    await bus.publish(messages);
    await bus.publish([cancel('c')]);
    await bus.idle();
    expect(seen).toEqual(messages);
    expect(seen[0]).not.toBe(messages[0]);
    expect(others).toEqual(['c hca/task/cancel']);
    expect(() => bus.subscribe('hca/task/cancel', 'learn', noted([]))).toThrow('has a consumer already');
  });

  test('the same message said again is delivered once; a request and its result with one id are two', async () => {
    const { bus } = house();
    const seen: string[] = [];
    for (const method of ['hca/task/delegate', 'hca/task/delegate.result'] as const)
      bus.subscribe(method, 'route', noted(seen));
    bus.start();
    const result = delegate('m', { method: 'hca/task/delegate.result' });
    await bus.publish([delegate('m'), delegate('m'), result]);
    await bus.publish([delegate('m')]);
    await bus.idle();
    await bus.publish([delegate('m'), result]);
    await bus.idle();
    expect(seen).toEqual(['m hca/task/delegate', 'm hca/task/delegate.result']);
  });

  test('a message may lead to others, and idle waits for all of them', async () => {
    const { bus } = house();
    let hops = 0;
    bus.subscribe('hca/task/cancel', 'route', async () => {
      hops += 1;
      if (hops < 500) await bus.publish([cancel(`hop ${hops}`)]);
    });
    bus.start();
    await bus.publish([cancel('hop 0')]);
    await bus.idle();
    expect(hops).toBe(500);
  });

  test('a chain of messages starves no timer', async () => {
    const { bus } = house();
    let hops = 0;
    let fired = false;
    bus.subscribe('hca/task/cancel', 'route', async () => {
      hops += 1;
      if (hops === 1)
        setTimeout(() => {
          fired = true;
        }, 1);
      if (!fired && hops < 50_000) await bus.publish([cancel(`hop ${hops}`)]);
    });
    bus.start();
    await bus.publish([cancel('hop 0')]);
    await bus.idle();
    expect(fired).toBe(true);
  });

  test('so many at once and no more, and it really is at once', async () => {
    const { bus } = house({ atOnce: 16 });
    let running = 0;
    const counts: number[] = [];
    bus.subscribe('hca/task/cancel', 'route', async () => {
      running += 1;
      counts.push(running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    });
    bus.start();
    await bus.publish(ids(100).map(cancel));
    await bus.idle();
    expect(counts).toHaveLength(100);
    expect(Math.max(...counts)).toBe(16);
  });

  test('a message over 256 KB is refused by name, and none of its companions is stored', async () => {
    const { bus, db } = house();
    const large = delegate('large', { caused_by: 'x'.repeat(300_000) });
    const fault = await faultOf(() => bus.publish([cancel('m'), large]));
    expect(fault).toMatchObject({ code: 'HcaTooLarge', message: expect.stringContaining('large') });
    expect(db.all('SELECT id FROM messages')).toEqual([]);
  });
});

describe('stop and start', () => {
  test('what was published before start, or left by an earlier process, is delivered by the next', async () => {
    const folder = newHome();
    const first = house({}, folder);
    await first.bus.publish(ids(600).map(cancel));
    await first.close();
    const second = house({}, folder);
    const seen: string[] = [];
    second.bus.subscribe('hca/task/cancel', 'route', noted(seen));
    await second.bus.publish([cancel('new')]);
    second.bus.start();
    await second.bus.idle();
    expect(seen).toEqual([...ids(600), 'new'].map((id) => `${id} hca/task/cancel`));
    await second.close();
    const third = house({}, folder);
    third.bus.start();
    await third.bus.idle();
    expect(third.bus.deadLetters()).toEqual([]);
  });

  test('stop waits for the delivery that has begun, begins none, and keeps the rest', async () => {
    const { bus } = house({ atOnce: 1 });
    const began: string[] = [];
    const ended: string[] = [];
    let stopped: Promise<void> | undefined;
    bus.subscribe('hca/task/cancel', 'route', async (message) => {
      began.push(message.id);
      stopped ??= bus.stop();
      await new Promise((resolve) => setImmediate(resolve));
      ended.push(message.id);
    });
    bus.start();
    await bus.publish(ids(3).map(cancel));
    await bus.idle();
    await stopped;
    expect([began, ended]).toEqual([['m0'], ['m0']]);
    bus.start();
    await bus.idle();
    expect(ended).toEqual(ids(3));
  });

  test('the inbox forgets after seven days and not before', async () => {
    let now = 1_000_000_000_000;
    const { inbox } = openHome({ clock: { now: () => now, ulid: () => 'unused' } });
    await inbox.done('route', 'old');
    now += 7 * 24 * 3600 * 1000;
    await inbox.done('route', 'young');
    expect(inbox.gc(now)).toBe(0);
    expect(inbox.gc(now + 1)).toBe(1);
    expect([await inbox.seen('route', 'old'), await inbox.seen('route', 'young')]).toEqual([false, true]);
  });
});

describe('disturbance', () => {
  test('duplicated, shuffled and delayed: everything arrives, copies as often as asked', async () => {
    const plan = (message: Message) => ({
      copies: 1 + (Number(message.id.slice(1)) % 5),
      delayMs: Number(message.id.slice(1)) % 3,
    });
    const queue: { ms: number; run: () => void }[] = [];
    const timers: Timers = {
      after: (ms, run) => {
        queue.push({ ms, run });
        return () => undefined;
      },
    };
    const { bus } = house({ deliver: (message) => ({ ...plan(message), pastInbox: true }), timers });
    const seen: string[] = [];
    bus.subscribe('hca/task/cancel', 'route', async (message) => void seen.push(message.id));
    bus.start();
    await bus.publish(ids(20).map(cancel));
    while (queue.length < ids(20).reduce((sum, id) => sum + plan(cancel(id)).copies, 0))
      await new Promise((resolve) => setImmediate(resolve));
    for (const { run } of queue.sort((a, b) => a.ms - b.ms).reverse()) run();
    await bus.idle();
    for (const id of ids(20)) expect(seen.filter((each) => each === id)).toHaveLength(plan(cancel(id)).copies);
    expect(seen.slice(0, 20)).not.toEqual(ids(20));
    expect(bus.deadLetters()).toEqual([]);
  });

  test('without pastInbox, copies that come after the first is done are dropped', async () => {
    const { bus } = house({ deliver: () => ({ copies: 5, delayMs: 1 }), atOnce: 1 });
    const seen: string[] = [];
    bus.subscribe('hca/task/cancel', 'route', noted(seen));
    bus.start();
    await bus.publish([cancel('m')]);
    await bus.idle();
    expect(seen).toHaveLength(1);
  });
});
