// Waits and marks: where everything from outside lands (architecture section 3).
import type { Outcome, Wait, WaitKey } from '#shared/contracts/effects.ts';

/** Waits of a task. Each write answers with the wait as it is afterwards. */
export interface Waits {
  /** One wait, or undefined before anybody wrote to it. */
  read(tenant: string, key: WaitKey): Promise<Wait | undefined>;
  /** Every wait of a waiting task. */
  of(tenant: string, task: string): Promise<Wait[]>;
  /** Makes the wait's item without anything on it, if it is not there. */
  open(tenant: string, key: WaitKey): Promise<Wait>;
  /** Writes the token, only over a lower fence. */
  token(tenant: string, key: WaitKey, token: { token: string; fence: string }): Promise<Wait>;
  /** Notes agreement if there is no outcome yet, or it is agreed already. */
  agree(tenant: string, key: WaitKey): Promise<Wait>;
  /** Writes the outcome if there is none: the first one wins, and closing a wait is the same write. */
  outcome(tenant: string, key: WaitKey, outcome: Outcome): Promise<Wait>;
  /** Notes that the child has ended; sets the outcome too if there is none. */
  end(tenant: string, key: WaitKey, outcome: Outcome): Promise<Wait>;
}

/** Marks: a task that is to stop. Written once, never removed. */
export interface Marks {
  set(tenant: string, record: string, cause: string): Promise<void>;
  /** The cause of one of these records that is marked, or null. A strong read. */
  read(tenant: string, records: readonly string[]): Promise<string | null>;
}

/** Inbox: which messages a consumer has finished. It saves work, it is not what makes a consumer safe. */
export interface Inbox {
  seen(consumer: string, message: string): Promise<boolean>;
  done(consumer: string, message: string): Promise<void>;
}
