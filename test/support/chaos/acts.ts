// What a strict tester does to a running house: holds a call, loses a message, wakes a zombie, cancels, and lets the event loop turn.

import { cancelMessage } from '#functions/acp/say.ts';
import { ALL_STEPS } from '#functions/all.ts';
import { perform } from '#functions/perform.ts';
import { MACHINES } from '#shared/contracts/machines.ts';
import type { Message } from '#shared/contracts/messages.ts';
import type { StepName } from '#shared/contracts/steps.ts';
import type { AnyRecord, DelegationRecord, TaskRecord } from '#shared/contracts/task.ts';
import { TENANT, taskOf } from '#test/support/submit.ts';
import type { ChaosHouse } from './house.ts';
import type { Hook, PortCall } from './intercept.ts';

type Match = (call: PortCall) => boolean;

/** Holds the first call that matches until it is opened; everything else goes on. */
export const gate = (match: Match) => {
  let isUsed = false;
  let reach: () => void = () => undefined;
  let open: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const hook: Hook = async (call) => {
    if (isUsed || !match(call)) return call.run();
    isUsed = true;
    reach();
    await opened;
    return call.run();
  };
  return { hook, reached, open: () => open() };
};

/** Does something once, right before or after the first call that matches. */
export const once = (match: Match, deed: () => Promise<unknown>, when: 'before' | 'after' = 'before'): Hook => {
  let isDone = false;
  return async (call) => {
    if (isDone || !match(call)) return call.run();
    isDone = true;
    if (when === 'before') await deed();
    const result = await call.run();
    if (when === 'after') await deed();
    return result;
  };
};

/** Messages that are lost on their way, and kept so that they can come late. */
export const loseMessages = (match: (message: Message) => boolean): { hook: Hook; lost: Message[] } => {
  const lost: Message[] = [];
  const hook: Hook = async (call) => {
    if (call.name !== 'messages.publish') return call.run();
    const messages = call.args[0] as Message[];
    const gone = messages.filter(match);
    lost.push(...gone);
    const rest = messages.filter((message) => !gone.includes(message));
    call.args = [rest];
    return rest.length === 0 ? undefined : call.run();
  };
  return { hook, lost };
};

/** Every message that was published, a repeat too. */
export const recordMessages = (): { hook: Hook; said: Message[] } => {
  const said: Message[] = [];
  const hook: Hook = (call) => {
    if (call.name === 'messages.publish') said.push(...(call.args[0] as Message[]));
    return call.run();
  };
  return { hook, said };
};

/** Calls a step as its machine or a message would, past both. */
export const callStep = (house: ChaosHouse, name: StepName, payload: unknown): Promise<unknown> =>
  perform(name, ALL_STEPS[name] as never, house.ports)(payload);

/** Cancels a task as a person would. */
export const cancel = async (house: ChaosHouse, task: string): Promise<void> => {
  await house.storage.bus.publish([await cancelOf(house, task)]);
};

export const cancelOf = async (house: ChaosHouse, task: string): Promise<Message> =>
  cancelMessage(await taskOf(house, task), 'a person asked', house.clock.now());

/** The event loop turns so often that everything that can go on has done so. */
export const turns = async (count = 400): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Ends an execution, in whichever machine it runs. */
export const kill = (house: Pick<ChaosHouse, 'asl'>, name: string): void => {
  for (const machine of MACHINES) house.asl.stop({ machine, name }, 'killed by a test');
};

/** What an execution went through, in whichever machine it ran. */
export const historyOf = (house: Pick<ChaosHouse, 'asl'>, name: string) =>
  MACHINES.flatMap((machine) => [...house.asl.history({ machine, name })]);

/** Turns the clock from timer to timer until nothing is left to wait for. */
export const toEnd = async (house: ChaosHouse): Promise<void> => {
  await house.idle();
  for (
    let next = house.clock.untilNext;
    next !== undefined && house.asl.open().length > 0;
    next = house.clock.untilNext
  ) {
    house.clock.advance(next);
    await house.idle();
  }
};

export const isSave = (call: PortCall, step: string, kind: AnyRecord['kind']): boolean => {
  if (call.name !== 'tasks.save') return false;
  const record = call.args[0] as AnyRecord;
  return record.kind === kind && record.last?.step === step;
};

/** Every record of a kind below a root. */
export const tasksBelow = async (house: ChaosHouse, root: string): Promise<TaskRecord[]> =>
  (await house.ports.tasks.below(TENANT, root)).filter((one) => one.kind === 'task');

export const delegationsBelow = async (house: ChaosHouse, root: string): Promise<DelegationRecord[]> =>
  (await house.ports.tasks.below(TENANT, root)).filter((one) => one.kind === 'delegation');
