// Ids and how they nest: every record's id begins with the id of its root task (architecture sections 3 and 8).
import * as z from 'zod';

/** Tenant of every key. */
export const Tenant = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'a tenant is 1 to 63 of a-z, 0-9 and -');

/** A holon's id: stable over restarts and the address of its messages (L1-ID-01 to L1-ID-03). */
export const HolonId = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,62}$/, 'a holon id is 1 to 63 of a-z, 0-9 and -, beginning with a letter');

/** Root task: a ULID. */
export const RootId = z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, 'a task id is a ULID');

/** Any record (task, delegation, review): root id, then `_slot`, `_n`, `-r<i>-<n>`; at most 70 so that an execution name stays within 80. */
export const RecordId = z
  .string()
  .regex(/^[0-9A-HJKMNP-TV-Z]{26}[A-Za-z0-9_-]{0,44}$/, 'a record id begins with the id of its root task');

/** Root task of any record. */
export const rootOf = (record: string): string => record.slice(0, 26);

/** Delegation `slot` of a task: unique below the root because the parent's own suffix is part of it. */
export const delegationId = (task: string, iteration: number, slot: number): string =>
  `${rootOf(task)}_${suffixOf(task)}${iteration.toString(36)}${slot.toString(36)}`;

/** The n-th child task that a delegation made (a reassignment or a grant is a new child). */
export const childId = (delegation: string, n: number): string => `${delegation}_${n}`;

/** The n-th review of an iteration. */
export const reviewId = (task: string, iteration: number, n: number): string => `${task}-r${iteration}-${n}`;

/** Name of a record's execution in its generation. */
export const executionName = (record: string, generation: number): string => `${record}-${generation}`;

/** Record and generation behind an execution name. */
export const parseExecution = (name: string): { record: string; generation: number } => {
  const cut = name.lastIndexOf('-');
  return { record: name.slice(0, cut), generation: Number(name.slice(cut + 1)) };
};

/** Message id: (record, version, index) names the saying, so a repeat has the same id (requirements section 2). */
export const messageId = (record: string, version: number, index: number): string => `${record}:${version}:${index}`;

const suffixOf = (task: string): string => {
  const rest = task.slice(26).replaceAll('_', '');
  return rest === '' ? '' : `${rest}x`;
};
