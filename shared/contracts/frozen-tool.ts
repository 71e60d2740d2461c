// Frozen tools: named, versioned, deterministic sequences of tool calls, and their expanded form (requirements section 6).
import * as z from 'zod';
import { Glob, SideEffect } from './policy.ts';

/** Strength of a repair: `safe` keeps the meaning of the code, `strong` may change it and is kept only if nothing got worse. */
export const Strength = z.enum(['safe', 'strong']);
export type Strength = z.infer<typeof Strength>;

/** Kinds of check a workspace can have. */
export const CHECK_KINDS = ['lint', 'format', 'types', 'test'] as const;
export const CheckKind = z.enum(CHECK_KINDS);
export type CheckKind = z.infer<typeof CheckKind>;

/** When a call's change stays: always, or only if no check is worse off after it. */
export const Keep = z.enum(['always', 'if-not-worse']);

/** Runs every fixer that the workspace has for these kinds of check; `of`: only for the checks that the goal is about, for those and the guards that
 * were green before the work (they must stay green), for the guards that were not (then only in files that the work has touched), or for all. */
export const FixStep = z.strictObject({
  fix: z.strictObject({
    kinds: z.array(CheckKind).min(1),
    strength: Strength,
    of: z.enum(['goal', 'green', 'red', 'all']).default('goal'),
  }),
  note: z.string().max(200),
  keep: Keep.default('always'),
});
export type FixStep = z.infer<typeof FixStep>;

/** One tool call. Text may hold `${param}`, `${param+1}`, `${iteration}` and `${marks}` (as many `x` as iterations). */
export const CallStep = z.strictObject({
  call: z.strictObject({
    tool: z.string().regex(/^[a-z0-9_-]+\.[a-z0-9_-]+$/, 'a tool is named server.tool'),
    arguments: z.record(z.string(), z.json()).default({}),
  }),
  note: z.string().max(200),
  keep: Keep.default('always'),
  repeat: z.union([z.int().min(1).max(200), z.string().max(40)]).default(1),
});
export type CallStep = z.infer<typeof CallStep>;

/** What a frozen tool says it costs: a fixed part and a part per call; an offer is judged by it. */
export const Declares = z.strictObject({
  calls: z.int().min(0),
  time_ms: z.int().min(0),
  per_call_ms: z.int().min(0).default(0),
});
export type Declares = z.infer<typeof Declares>;

/** `rank` orders the alternatives of a family, weakest first. `again`: may be taken in every iteration, its text differs by iteration. */
export const FrozenTool = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/),
  version: z.int().min(1),
  purpose: z.string().min(1).max(300),
  families: z.array(z.string()).min(1),
  side_effect: SideEffect,
  rank: z.int().min(1),
  again: z.boolean().default(false),
  when: z.array(CheckKind).default([]).describe('only if the goal has a check of one of these kinds; empty: always'),
  needs: z.strictObject({ tools: z.array(z.string()).default([]) }),
  declares: Declares,
  steps: z
    .array(z.union([FixStep, CallStep]))
    .min(1)
    .max(50),
});
export type FrozenTool = z.infer<typeof FrozenTool>;

/** A step expanded for one workspace and iteration. `spare`: files whose changes by this call are undone right after it;
 * `only`: if not empty, changes to all other files are undone too. `tidies`: it clears up after the calls before it, which are weighed with it.
 * `touched`: a criterion that was red before; what the call changes in files that the work has not touched, or that were red, is undone. */
export const FrozenCall = z.strictObject({
  id: z.string().max(80),
  tool: z.string(),
  arguments: z.record(z.string(), z.json()),
  note: z.string().max(300),
  keep: Keep,
  spare: z.array(Glob).max(128).default([]),
  only: z.array(Glob).max(64).default([]),
  tidies: z.boolean().default(false),
  touched: z.string().nullable().default(null),
});
export type FrozenCall = z.infer<typeof FrozenCall>;

/** One way to work on the criteria. `declares` holds totals: calls and milliseconds. */
export const Alternative = z.strictObject({
  name: z.string(),
  rank: z.int(),
  calls: z.array(FrozenCall).min(1).max(200),
  declares: z.strictObject({ calls: z.int().min(0), time_ms: z.int().min(0) }),
});
export type Alternative = z.infer<typeof Alternative>;
