// Rate and size limits of a person at the door, where the host has any: clear, typed, and with the time after which it may be tried again.
import type { Principal } from '#shared/contracts/acp-host.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Paced } from '#shared/contracts/limits.ts';
import type { DoorPorts } from './ports.ts';

/** @throws HcaFault HcaThrottled with `retry_after_ms` */
export const spend = async (door: DoorPorts, principal: Principal, what: Paced): Promise<void> => {
  const wait = (await door.throttle?.(principal, what)) ?? 0;
  if (wait === 0) return;
  throw new HcaFault('HcaThrottled', {
    message: `too many ${what === 'frame' ? 'requests' : 'goals'} in a short time`,
    field: what,
    remedy: `wait ${Math.ceil(wait / 1000)} s, then try again`,
    retry_after_ms: wait,
  });
};

/** @throws HcaFault HcaThrottled when this person has as many sessions as they may */
export const checkSessions = async (door: DoorPorts, principal: Principal): Promise<void> => {
  const most = door.limits?.sessions;
  if (most === undefined) return;
  const kept = await door.ports.sessions.list(principal, { limit: most });
  if (kept.length >= most) throw full('sessions', most, 'delete some that are not needed any more: session/delete');
};

/** @throws HcaFault HcaThrottled when this person has as many open tasks as they may */
export const checkTasks = async (door: DoorPorts, { tenant, subject }: Principal): Promise<void> => {
  const most = door.limits?.tasks;
  if (most === undefined) return;
  const open = await door.ports.tasks.roots(tenant, { limit: most, open: true, owner: subject });
  if (open.length >= most) throw full('open tasks', most, 'wait for some to end, or cancel them: hca cancel');
};

/** @throws HcaFault HcaTooLarge */
export const checkSize = ({ limits }: DoorPorts, bytes: number): void => {
  if (limits === undefined || bytes <= limits.bytes) return;
  throw new HcaFault('HcaTooLarge', {
    message: `the frame has ${bytes} bytes, this host takes ${limits.bytes}`,
    field: 'frame',
    remedy: 'send less at once',
  });
};

/** Waiting alone does not help, so a program must not just try again. */
const full = (what: string, most: number, remedy: string): HcaFault =>
  new HcaFault('HcaThrottled', {
    message: `you have ${most} ${what}, as many as this host allows`,
    field: what,
    remedy,
    retryable: false,
  });
