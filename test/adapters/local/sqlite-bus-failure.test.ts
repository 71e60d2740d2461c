// The durable bus when a consumer fails: growing pauses, dead letters with their cause, redriven once (architecture section 3).
import { describe, expect, test } from 'vitest';
import type { LocalOptions } from '#shared/adapters/local/ports.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Message } from '#shared/contracts/messages.ts';
import { cancel, delegate } from '../suites/samples.ts';
import { openHome, quickTimers } from './home.ts';

const house = (bus: LocalOptions['bus'] = {}) => openHome({ bus: { timers: quickTimers().timers, ...bus } });
const noted = (seen: string[]) => async (message: Message) => void seen.push(`${message.id} ${message.method}`);
const ids = (count: number, prefix = 'm') => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

describe('failure', () => {
  test('what fails comes again after growing pauses with chance in them', async () => {
    const { pauses, timers } = quickTimers();
    const { bus } = house({ timers, random: () => 0.5, attempts: 12 });
    let left = 10;
    bus.subscribe('hca/task/cancel', 'route', async () => {
      left -= 1;
      if (left >= 0) throw new HcaFault('HcaUnavailable', { message: 'not now' });
    });
    bus.start();
    await bus.publish([cancel('m')]);
    await bus.idle();
    expect(left).toBe(-1);
    expect(pauses).toEqual([75, 150, 300, 600, 1200, 2400, 4800, 9600, 19_200, 22_500]);
    expect(bus.deadLetters()).toEqual([]);
  });

  test('after the last attempt it is a dead letter with its cause, and others were not held up', async () => {
    const { bus, clock } = house({ attempts: 3 });
    const seen: string[] = [];
    let tries = 0;
    bus.subscribe('hca/task/delegate', 'answer', async () => {
      tries += 1;
      throw new Error('the disk is on fire');
    });
    bus.subscribe('hca/task/cancel', 'route', noted(seen));
    bus.start();
    await bus.publish([delegate('bad'), cancel('good')]);
    await bus.idle();
    expect(tries).toBe(3);
    expect(seen).toEqual(['good hca/task/cancel']);
    const [letter] = bus.deadLetters();
    expect(letter).toMatchObject({
      id: 'bad',
      method: 'hca/task/delegate',
      consumer: 'answer',
      cause: 'Error: the disk is on fire',
      attempts: 3,
    });
    expect(letter?.died_at).toBeLessThanOrEqual(clock.now());
    expect(JSON.parse(letter?.body ?? '')).toEqual(delegate('bad'));
  });

  test('a fault that no retry mends, a method without a consumer and a damaged row are dead at once', async () => {
    const { bus, db } = house();
    let tries = 0;
    bus.subscribe('hca/task/delegate', 'answer', async () => {
      tries += 1;
      throw new HcaFault('HcaBadInput', { message: 'no goal' });
    });
    bus.subscribe('hca/task/complete', 'route', noted([]));
    await bus.publish([delegate('bad'), cancel('nobody'), delegate('cut', { method: 'hca/task/complete' })]);
    db.run("UPDATE messages SET body = '{}' WHERE id = 'cut'");
    bus.start();
    await bus.idle();
    expect(tries).toBe(1);
    const causes = bus.deadLetters().map((letter) => [letter.id, letter.consumer, letter.cause]);
    expect(causes.sort()).toEqual([
      ['bad', 'answer', 'HcaBadInput: no goal'],
      ['cut', 'route', 'HcaCorrupt: the stored message cut is damaged'],
      ['nobody', null, 'nobody subscribes to hca/task/cancel'],
    ]);
  });

  test('dead letters are redriven once, one by id or all', async () => {
    const { bus } = house({ attempts: 1 });
    const seen: string[] = [];
    let isBroken = true;
    bus.subscribe('hca/task/cancel', 'route', async (message) => {
      if (isBroken) throw new Error('broken');
      seen.push(message.id);
    });
    bus.start();
    await bus.publish(ids(5).map(cancel));
    await bus.idle();
    expect(bus.deadLetters().map((letter) => letter.id)).toEqual(ids(5));
    isBroken = false;
    expect(bus.redrive('unknown')).toBe(0);
    expect([bus.redrive('m3'), bus.redrive('m3')]).toEqual([1, 0]);
    await bus.idle();
    expect(seen).toEqual(['m3']);
    expect([bus.redrive('all'), bus.redrive('all')]).toEqual([4, 0]);
    await bus.idle();
    expect([...seen].sort()).toEqual(ids(5));
    expect(bus.deadLetters()).toEqual([]);
  });

  test('a redriven letter that fails again is dead again, with the new cause', async () => {
    const { bus } = house({ attempts: 2 });
    let tries = 0;
    bus.subscribe('hca/task/cancel', 'route', async () => {
      tries += 1;
      throw new Error(`try ${tries}`);
    });
    bus.start();
    await bus.publish([cancel('m')]);
    await bus.idle();
    bus.redrive('all');
    await bus.idle();
    expect(bus.deadLetters()).toMatchObject([{ id: 'm', cause: 'Error: try 4', attempts: 2 }]);
  });
});
