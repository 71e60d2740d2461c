// The journal: what happened, one entry per version of a record; a root's view merges its records (architecture section 8).
import type { Entry } from '#shared/contracts/journal.ts';

/** A page of entries; `cursor` is opaque and goes on exactly behind the last entry given. */
export interface JournalPage {
  entries: Entry[];
  cursor: string;
}

export interface JournalRead {
  /** Whether the entry of a record's version is there. */
  has(tenant: string, record: string, version: number): Promise<boolean>;
  /** Entries below a root from a cursor ('' = the beginning), oldest first. */
  read(tenant: string, root: string, page: { cursor: string; limit: number }): Promise<JournalPage>;
}

export interface Journal extends JournalRead {
  /** Appends; an entry that is there already (record, version or note) is left as it is. */
  append(entry: Entry): Promise<void>;
}
