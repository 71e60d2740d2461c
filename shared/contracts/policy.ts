// What a holon may do: tools, side effects, paths, network, models, data, servers (requirements 8; architecture 11).
// Everything is an allow list, so an empty policy allows nothing; a child's policy is its parent's, narrowed.
import * as z from 'zod';

/** `*` and `?` stay inside one path segment, `**` crosses segments, a leading `**` + `/` also matches no segment at all. */
export const Glob = z.string().min(1).max(500);
export type Glob = z.infer<typeof Glob>;

/** Side-effect classes, harmless first; a ceiling allows itself and everything before it (harness layer 4). */
export const SIDE_EFFECTS = [
  'read_only',
  'local_write',
  'external_write',
  'destructive',
  'credential_sensitive',
] as const;
export const SideEffect = z.enum(SIDE_EFFECTS);
export type SideEffect = z.infer<typeof SideEffect>;

/** A call that matches both lists needs a decision of `by` before it runs; rules only ever add up on the way down. */
export const ApprovalRule = z.strictObject({
  tools: z.array(Glob).min(1),
  side_effects: z.array(SideEffect).min(1),
  by: z.enum(['parent', 'root', 'person']),
});
export type ApprovalRule = z.infer<typeof ApprovalRule>;

/** `Policy.parse({})` allows nothing at all: every omitted part is the closed one. */
export const Policy = z.strictObject({
  tools: z
    .strictObject({ allow: z.array(Glob).default([]), deny: z.array(Glob).default([]) })
    .default({ allow: [], deny: [] }),
  side_effects: SideEffect.default('read_only'),
  paths: z
    .strictObject({ write: z.array(Glob).default([]), deny: z.array(Glob).default([]) })
    .default({ write: [], deny: [] }),
  network: z
    .strictObject({ access: z.enum(['none', 'allow']), hosts: z.array(Glob).default([]) })
    .default({ access: 'none', hosts: [] }),
  approvals: z.array(ApprovalRule).default([]),
  models: z.array(Glob).default([]),
  data_classes: z.array(z.string().min(1).max(100)).default([]),
  servers: z.array(z.string().min(1).max(100)).default([]),
});
export type Policy = z.infer<typeof Policy>;

/** What the policy is asked about one call. `side_effect` is absent for a tool nobody classified: that is refused. */
export const CallSubject = z.strictObject({
  server: z.string(),
  tool: z.string(),
  side_effect: SideEffect.optional(),
  writes: z.array(z.string()).default([]),
  hosts: z.array(z.string()).default([]),
  approved_by: z.array(z.enum(['parent', 'root', 'person'])).default([]),
});
export type CallSubject = z.infer<typeof CallSubject>;

/** The answer names the rule that decided, for the journal; `needs` says whose approval would change it. */
export const PolicyAnswer = z.strictObject({
  allowed: z.boolean(),
  rule: z.string(),
  reason: z.string(),
  needs: z.enum(['parent', 'root', 'person']).optional(),
});
export type PolicyAnswer = z.infer<typeof PolicyAnswer>;
