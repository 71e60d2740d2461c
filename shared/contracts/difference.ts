// What would change: named parts of a harness package or a holarchy, each added, removed or changed field by field.
import * as z from 'zod';

/** A field by its path (`budget.calls`) with both values as JSON; null where there is none. */
export const FieldChange = z.object({
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type FieldChange = z.infer<typeof FieldChange>;

/** One part. `name` is empty for a part that is there once, like the policy. `fields` says more of one that changed. */
export const Difference = z.object({
  part: z.string(),
  name: z.string(),
  how: z.enum(['added', 'removed', 'changed']),
  fields: z.array(FieldChange),
});
export type Difference = z.infer<typeof Difference>;
