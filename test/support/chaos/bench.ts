// What every file of disturbed runs needs: houses that are closed after each test, and what must hold whatever was done to them.
import { afterEach, expect } from 'vitest';
import type { WaitKey } from '#shared/contracts/effects.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { AnyRecord, DelegationRecord } from '#shared/contracts/task.ts';
import { TENANT } from '#test/support/submit.ts';
import { delegationsBelow, kill } from './acts.ts';
import { broken } from './final-state.ts';
import { type ChaosHouse, type ChaosOptions, openChaosHouse } from './house.ts';
import type { Hook, PortCall } from './intercept.ts';

/** Houses of one test file; each is started, and closed after its test. */
export const bench = () => {
  const houses: ChaosHouse[] = [];
  afterEach(async () => {
    for (const house of houses.splice(0)) await house.close();
  });
  const open = async (options: ChaosOptions = {}): Promise<ChaosHouse> => {
    const house = await openChaosHouse(options);
    houses.push(house);
    house.start();
    return house;
  };
  return { houses, open };
};

/** Nothing open, no gap, no overrun, no dead letter, no illegal move, no decision twice. */
export const fine = async (house: ChaosHouse, root: string): Promise<void> => {
  expect(await broken(house, root)).toEqual([]);
  expect(house.witness.illegal).toEqual([]);
  expect(house.witness.twice).toEqual([]);
};

/** A coordinator of one leaf, which fails its first review. */
export const TURN = { goal: 'take the turn', to: 'works' };

export const theDelegation = async (house: ChaosHouse, root: string): Promise<DelegationRecord> => {
  const [one] = await delegationsBelow(house, root);
  if (one === undefined) throw new Error('nothing was delegated');
  return one;
};

export const waitOf = ({ task, child, offer }: DelegationRecord): WaitKey => ({ task, on: child, offer });

/** The payload with which the machine called Delegate first, as a zombie has it. */
export const firstDelegate = ({ id, task }: Pick<DelegationRecord, 'id' | 'task'>, retry = 0) => ({
  tenant: TENANT,
  record: id,
  execution: `${task}-1`,
  tick: 2000,
  redrive: 0,
  retry,
  token: `dead-${retry}`,
});

export const unavailable = (): never => {
  throw new HcaFault('HcaUnavailable', { message: 'a test says so' });
};

/** A port call that fails for ever where it matches, and how often it was tried. */
export const failing = (match: (call: PortCall) => boolean): { hook: Hook; tries: () => number } => {
  let tries = 0;
  const hook: Hook = async (call) => {
    if (!match(call)) return call.run();
    tries += 1;
    return unavailable();
  };
  return { hook, tries: () => tries };
};

/** Ends the machine of a holon's task as soon as it has saved that step (from an iteration on), so many times. */
export const killing = (
  houses: readonly ChaosHouse[],
  {
    holon,
    step,
    times = Number.POSITIVE_INFINITY,
    from = 0,
  }: { holon: string; step: string; times?: number; from?: number },
): Hook => {
  let left = times;
  const isIt = (record: AnyRecord): boolean =>
    record.holon === holon &&
    record.last?.step === step &&
    (from === 0 || (record.kind === 'task' && record.iteration >= from));
  return async (call) => {
    const result = await call.run();
    const record = call.args[0] as AnyRecord;
    if (call.name !== 'tasks.save' || left === 0 || !isIt(record)) return result;
    left -= 1;
    const [name] = record.last?.caused_by.split('#') ?? [];
    for (const house of houses) kill(house, name ?? '');
    return result;
  };
};
