// HarnessProfile (nine sections) and the specialist harness package that bundles it with families, frozen tools, criteria,
// readiness checks and the catalogue of known tools (requirements section 6, Profiles and Specialist harness).
import * as z from 'zod';
import { Check, ProtectedKind } from './criterion.ts';
import { CheckKind, FrozenTool } from './frozen-tool.ts';
import { Glob, SideEffect } from './policy.ts';
import { Catalogue } from './project.ts';

/** Lanes of work (harness layer 3). */
export const Lane = z.enum(['main-chat', 'summary-scout', 'planner', 'worker', 'reviewer']);
export type Lane = z.infer<typeof Lane>;

const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/);
const share = z.number().min(0).max(1);

/** 1. Who works in which lane; attribution is an invariant: once on, it stays on. */
export const AgentConfiguration = z.strictObject({
  lanes: z.partialRecord(Lane, z.strictObject({ model: z.string().nullable(), max_turns: z.int().min(0) })),
  attribution: z.strictObject({ holon: z.boolean(), lane: z.boolean(), tools: z.boolean() }),
});

/** 2. Which lane gets what, and where a lane that failed validation goes next. */
export const RoutingPolicy = z.strictObject({
  default_lane: Lane,
  escalate_to: Lane.nullable(),
  stronger_from: z.strictObject({ openness: share, coupling: share, consequence: share, weak_validator: share }),
});

/** 3. Invariant: only ever narrower. */
export const ParallelismAndDepth = z.strictObject({
  child_depth: z.int().min(0).max(16),
  concurrency: z.int().min(1).max(256),
});

/** 4. Input budget of a lane in tokens, split into bounded shares, and what gives way first. */
export const ContextManagement = z.strictObject({
  input_tokens: z.int().min(0),
  shares: z.strictObject({
    policy: share,
    tools: share,
    artifacts: share,
    retrieval: share,
    recent: share,
    user: share,
    margin: share,
  }),
  overflow: z.array(z.enum(['less-retrieval', 'compaction', 'decomposition', 'blocked'])).min(1),
});

/** 5. How lessons are fetched. */
export const RetrievalPolicy = z.strictObject({
  lessons: z.int().min(0).max(50),
  queries: z.int().min(0).max(16),
  min_score: share,
  domains: z.array(z.string()),
});

/** 6. What tools are shown; `side_effects` and `write_paths` are the write boundary, an invariant. */
export const ToolProjection = z.strictObject({
  allowed: z.array(Glob),
  side_effects: SideEffect,
  write_paths: z.array(Glob),
  listed: z.int().min(0).max(128),
});

/** 7. How results are verified. `no_progress` is k of the loop breaker. */
export const VerificationPolicy = z.strictObject({
  baseline: z.boolean(),
  rerun: z.boolean(),
  confirm_runs: z.int().min(1).max(5).describe('runs of a red check before it counts as red'),
  retries: z.int().min(1).max(32),
  no_progress: z.int().min(1).max(16),
});

/** 8. What an unclear goal leads to. */
export const ClarificationPosture = z.strictObject({
  posture: z.enum(['ask', 'assume', 'block']),
  questions: z.int().min(0).max(8),
});

/** 9. How a version of the profile comes into use, and which measures may not get worse. */
export const RolloutAndActivation = z.strictObject({
  active: z.boolean(),
  canary_percent: z.int().min(0).max(100),
  guarded: z.array(z.enum(['verified_success', 'route_regret', 'escalation_precision', 'loop_incidence'])),
});

/** The nine sections, typed and versioned. */
export const HarnessProfile = z.strictObject({
  name,
  version: z.int().min(1),
  agent: AgentConfiguration,
  routing: RoutingPolicy,
  parallelism: ParallelismAndDepth,
  context: ContextManagement,
  retrieval: RetrievalPolicy,
  tools: ToolProjection,
  verification: VerificationPolicy,
  clarification: ClarificationPosture,
  rollout: RolloutAndActivation,
});
export type HarnessProfile = z.infer<typeof HarnessProfile>;

/** Layers in the order in which they are laid over each other. */
export const LAYERS = ['system', 'user', 'workspace', 'task-family', 'session', 'goal'] as const;

/** One layer's changes: any part of any section. */
export const ProfileLayer = z.strictObject({
  layer: z.enum(LAYERS),
  agent: AgentConfiguration.extend({ attribution: AgentConfiguration.shape.attribution.partial() })
    .partial()
    .optional(),
  routing: RoutingPolicy.partial().optional(),
  parallelism: ParallelismAndDepth.partial().optional(),
  context: ContextManagement.partial().optional(),
  retrieval: RetrievalPolicy.partial().optional(),
  tools: ToolProjection.partial().optional(),
  verification: VerificationPolicy.partial().optional(),
  clarification: ClarificationPosture.partial().optional(),
  rollout: RolloutAndActivation.partial().optional(),
});
export type ProfileLayer = z.infer<typeof ProfileLayer>;

/**
 * Wordings of a family: rules of a context-free grammar. A rule's alternatives are words, `<rule>`, `{param:number}` (also `word`, `path`,
 * `script`), each with an optional `?` or `*`; `=> template key=value …` behind an alternative says which criteria template it means
 * (`=>>`: instead of what its words mean).
 */
export const Grammar = z.record(name, z.array(z.string().min(1).max(300)).min(1));
export type Grammar = z.infer<typeof Grammar>;

/** A kind of task this harness can do. `grammar` must have a rule `clause`. */
export const TaskFamily = z.strictObject({
  name,
  title: z.string().min(1).max(200),
  examples: z.array(z.string().min(1).max(200)).min(1),
  project: z.boolean().describe('true when the workspace must have checks of its own'),
  grammar: Grammar.refine((rules) => rules.clause !== undefined, { message: 'the grammar needs a rule "clause"' }),
});
export type TaskFamily = z.infer<typeof TaskFamily>;

/**
 * How a clause becomes criteria. `checks`: the workspace's own checks of these kinds (`any`: at least one kind must be there, `each`: every kind);
 * `check`: a literal check with `${param}`; `limit`: a limit on the diff; `nothing`: explained, covered by the guards that are always there.
 */
export const CriteriaTemplate = z.discriminatedUnion('use', [
  z.strictObject({
    name,
    use: z.literal('checks'),
    kinds: z.array(CheckKind).min(1),
    need: z.enum(['any', 'each']),
    text: z.string(),
    allows: z.array(ProtectedKind).default([]),
  }),
  z.strictObject({
    name,
    use: z.literal('check'),
    text: z.string(),
    check: Check,
    allows: z.array(ProtectedKind).default([]),
  }),
  z.strictObject({
    name,
    use: z.literal('limit'),
    text: z.string(),
    protect: z.array(ProtectedKind).default([]),
    forbid: z.array(z.string()).default([]),
    allow: z.array(z.string()).default([]),
    max_files: z.string().nullable().default(null),
  }),
  z.strictObject({ name, use: z.literal('nothing'), text: z.string() }),
]);
export type CriteriaTemplate = z.infer<typeof CriteriaTemplate>;

/** What must hold before the harness takes a task. */
export const ReadinessCheck = z.strictObject({
  name,
  text: z.string(),
  needs: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('tool'), tool: z.string() }),
    z.strictObject({ kind: z.literal('project'), has: z.literal('checks') }),
  ]),
});
export type ReadinessCheck = z.infer<typeof ReadinessCheck>;

/** A specialist harness, loaded from its folder: data only. */
export const HarnessPackage = z.strictObject({
  name,
  version: z.int().min(1),
  title: z.string(),
  profile: HarnessProfile,
  families: z.array(TaskFamily).min(1),
  tools: z.array(FrozenTool),
  criteria: z.array(CriteriaTemplate),
  readiness: z.array(ReadinessCheck),
  catalogue: Catalogue.nullable(),
});
export type HarnessPackage = z.infer<typeof HarnessPackage>;
