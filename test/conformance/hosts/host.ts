// What differs from host to host: where a house stands, seen from a scenario.
import type { Door } from '#shared/client/door.ts';
import type { ParamsIn } from '#shared/contracts/acp.ts';

/** What a scenario asks beside the goal. */
export type Asked = Partial<Omit<ParamsIn<'_hca/task/submit'>, 'goal'>>;

/** Where a house stands: everything about it that differs from host to host. */
export interface Host {
  /** Whether it is a process that can be started again; a deployed house is none. */
  isProcess: boolean;
  /** The door of the host that runs now. */
  door(): Door;
  /** An empty folder to work on. */
  folder(): string;
  /** What to call a folder of this machine when something is submitted; handed over first where the host is elsewhere. */
  given(folder: string): Promise<Asked['workspace']>;
  /** Writes the change of a task into its folder; the paths it wrote. */
  apply(task: string): Promise<string[]>;
  /** Ends the host and starts another one on the same home. */
  restart(): Promise<void>;
  close(): Promise<void>;
}
