// The data of journal entries that a client is shown something of. What is not as expected shows nothing; it never breaks a stream.
import * as z from 'zod';
import type { Entry } from '#shared/contracts/journal.ts';

const Ref = z.object({ id: z.string(), version: z.int() });

/** A tool was used. */
export const worked = z.object({
  call: z.string(),
  tool: z.string(),
  status: z.string(),
  rule: z.string().optional(),
  exit_code: z.number().nullable().optional(),
  changed: z.boolean().optional(),
});

/** A review was asked for. */
export const reviewed = z.object({ review: z.string(), evaluator: z.string() });

/** An evaluator judged. */
export const judged = z.object({ result: z.string() });

/** A child was offered a task, or settled it. */
export const delegated = z.object({
  child: z.string().optional(),
  to: z.string().optional(),
  offer: z.int().optional(),
  artifacts: z.array(Ref).optional(),
});

/** Data of an entry by one of the schemas above. */
export const read = <S extends z.ZodType>(schema: S, entry: Entry): z.output<S> | undefined =>
  schema.safeParse(entry.data).data;
