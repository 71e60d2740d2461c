// Records of tasks, delegations and reviews: one writer each, saved on the version that was read (architecture sections 2 and 8).
import type { AnyRecord, TaskRecord } from '#shared/contracts/task.ts';

/** Line of a listing of root tasks. */
export interface RootRow {
  id: string;
  goal: string;
  state: TaskRecord['state'];
  holon: string;
  opened_at: number;
  ended_at: number | null;
}

/** Which root tasks, and how many of them. */
export interface RootPage {
  limit: number;
  before?: string;
  open?: boolean;
  owner?: string;
}

/** An open task or review, or a task that owes its lesson. */
export type OpenRecord = Pick<AnyRecord, 'tenant' | 'id'>;

/** What a step may ask. Loads are strong; `openOf` and `roots` may lag behind a save by some milliseconds. */
export interface TasksRead {
  /** The record, or undefined when there is none in this tenant. */
  load(tenant: string, id: string): Promise<AnyRecord | undefined>;
  /** Every record below a root, oldest first. */
  below(tenant: string, root: string): Promise<AnyRecord[]>;
  /** How many tasks and reviews a holon has open. */
  openOf(tenant: string, holon: string): Promise<number>;
  /** Root tasks, newest first, of everybody or of one `owner`; `before` is the id to go on from. */
  roots(tenant: string, page: RootPage): Promise<RootRow[]>;
}

/** What `perform` and the door may do. */
export interface Tasks extends TasksRead {
  /** Saves on the version that was read (0 creates). Throws HcaConflict when the stored version is another. */
  save(record: AnyRecord, expected: number): Promise<void>;
  /** Creates if absent; false when it is there already. */
  put(record: AnyRecord): Promise<boolean>;
  /**
   * Open tasks and reviews of every tenant that may have lost their machine, and tasks that are over and owe their lesson: those that nobody saved or attended for some time, longest first, or all of
   * them where looking is cheap. What one answer does not hold, a later one does.
   */
  unattended(): Promise<OpenRecord[]>;
  /** Notes that its machine is alive; nothing happens to a record that is over. */
  attend(tenant: string, id: string): Promise<void>;
}
