// The journal: one entry per version of a record, gap-free, plus notes for messages that changed nothing (architecture 3 and 8).
import * as z from 'zod';

/** What a step says happened, for a person and for a machine. `data` is small; content is an artifact. */
export const EntryBody = z.object({
  text: z.string().max(2000),
  data: z.record(z.string(), z.unknown()).default({}),
});
export type EntryBody = z.infer<typeof EntryBody>;

/** Header of a message that was told together with an entry. */
export const Told = z.object({ id: z.string(), method: z.string(), to: z.string() });

/** A journal entry. `version` counts a record's saves; a note has version 0 and the message's id. */
export const Entry = EntryBody.extend({
  tenant: z.string(),
  root: z.string(),
  record: z.string(),
  version: z.int().min(0),
  note: z.string().nullable(),
  kind: z.enum(['task', 'delegation', 'review', 'note']),
  holon: z.string(),
  step: z.string(),
  state: z.string(),
  iteration: z.int().min(0),
  told: z.array(Told).max(64),
  caused_by: z.string(),
  at: z.int(),
});
export type Entry = z.infer<typeof Entry>;
