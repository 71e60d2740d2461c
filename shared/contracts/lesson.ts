// A lesson: what a finished task teaches the next one (L3-LES). A version is never changed; whatever happens to a lesson is its next version.
// Yesterday's shape still parses: what it did not have yet stands here with a default.
import * as z from 'zod';
import { Budget } from './budget.ts';

/** How far a lesson is trusted, rising. Only `provisional` and `confirmed` may reorder alternatives; none ever grants anything. */
export const TRUSTS = ['retired', 'quarantined', 'provisional', 'confirmed'] as const;
export const Trust = z.enum(TRUSTS);
export type Trust = z.infer<typeof Trust>;

/** L3-LES-02. */
export const LessonType = z.enum(['pattern', 'antipattern']);
export type LessonType = z.infer<typeof LessonType>;

const word = z.string().min(1).max(120);

/** The situation without its folder and its wording: family, tools of the red checks, what failed in tool-independent words, kinds of check. */
export const Signature = z.object({
  family: z.string().max(120),
  tools: z.array(word).max(32),
  failures: z.array(word).max(64),
  checks: z.array(word).max(16),
});
export type Signature = z.infer<typeof Signature>;

/** How often it was used, and what became of those tasks. */
export const Outcomes = z.object({ used: z.int().min(0), helped: z.int().min(0), hurt: z.int().min(0) });
export type Outcomes = z.infer<typeof Outcomes>;

/** `work`: the producer's; `review`: the evaluator's; `import`: from outside. `source`: the record or file it was made from. */
export const Provenance = z.object({ origin: z.enum(['work', 'review', 'import']), source: z.string().max(200) });

/** Why this version is there. `cause` names the event: the same event makes no second version (architecture section 2). */
export const LessonChange = z.object({ cause: z.string().max(200), why: z.string().max(500), at: z.int() });
export type LessonChange = z.infer<typeof LessonChange>;

/** Lesson record; every finished task keeps its own. `group`: the head of its near-duplicates, null when it is the head itself. */
export const Lesson = z.object({
  id: z.string().min(1).max(120),
  version: z.int().min(1),
  type: LessonType,
  task_id: z.string().max(120),
  holon: z.string().max(120),
  domain: z.string().max(120),
  family: z.string().max(120),
  tags: z.array(z.string().max(80)).max(32),
  situation: z.string().max(2000),
  advice: z.string().max(2000),
  did_not_work: z.string().max(2000).default(''),
  evidence: z.array(z.string().max(300)).max(32),
  alternatives: z
    .object({ for: z.array(word).max(16), against: z.array(word).max(16) })
    .default({ for: [], against: [] })
    .describe('names of alternatives that it speaks for and against'),
  signature: Signature.nullable().default(null),
  outcomes: Outcomes.default({ used: 0, helped: 0, hurt: 0 }),
  retrieved: z.boolean().default(false).describe('a plan found it to be about its situation, at least once'),
  trust: Trust.default('provisional'),
  provenance: Provenance.default({ origin: 'work', source: '' }),
  group: z.string().max(120).nullable().default(null),
  contradicts: z.array(z.string().max(120)).max(16).default([]),
  spent: Budget,
  created_at: z.int(),
  change: LessonChange.default({ cause: '', why: '', at: 0 }),
});
export type Lesson = z.infer<typeof Lesson>;

/**
 * What is asked (L3-KBQ-01 to L3-KBQ-03). Filters are exact. Of `text` the first 4,000 characters count; empty: the best proven come first.
 * `situation` ranks what is about the same trouble higher. `trust`: the least. `grouped`: only heads, or every record.
 */
export const LessonQuery = z.object({
  text: z.string().max(200_000),
  domain: z.string().max(120).optional(),
  family: z.string().max(120).optional(),
  tags: z.array(z.string().max(80)).max(32).default([]),
  match: z.enum(['any', 'all']).default('any'),
  type: LessonType.optional(),
  trust: Trust.default('provisional'),
  situation: Signature.nullable().default(null),
  grouped: z.enum(['heads', 'all']).default('heads'),
  limit: z.int().min(1).max(50).default(5),
});
export type LessonQuery = z.infer<typeof LessonQuery>;
/** Fields with a default may be left out. */
export type LessonQuestion = z.input<typeof LessonQuery>;

/** What a lesson changed in a plan: one alternative earlier or later than its rank says (L3-CTL-02). */
export const LessonEffect = z.object({
  lesson: z.string(),
  version: z.int().min(1),
  effect: z.enum(['promotes', 'demotes']),
  alternative: z.string(),
});
export type LessonEffect = z.infer<typeof LessonEffect>;

/** An effect in the iteration whose plan had it, kept until the verdict says whether it helped. */
export const LessonUse = LessonEffect.extend({ iteration: z.int().min(1) });
export type LessonUse = z.infer<typeof LessonUse>;

/** What the verdict says of a lesson that was used; `seen`: a plan cited it and did nothing otherwise because of it. */
export const LessonCredit = z.object({
  lesson: z.string().max(120),
  outcome: z.enum(['helped', 'hurt', 'none', 'seen']),
});
export type LessonCredit = z.infer<typeof LessonCredit>;
