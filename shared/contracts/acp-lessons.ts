// The northbound door's rows for lessons; acp.ts joins them with the rest into one table (L3-KBS-02, L3-KBS-03, L3-KBQ).
import * as z from 'zod';
import type { MethodRow } from './acp-host.ts';
import { Lesson, LessonQuery, Trust } from './lesson.ts';

/** A lesson by its id, or by the id of the task or review that taught it. */
export const LessonName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{3,119}$/, 'a lesson is named by its id, or by the id of its task');

const named = z.object({ lesson: LessonName });
const decision = named.extend({ why: z.string().min(1).max(400).default('a person said so') });
const page = { after: z.string().max(120).optional(), next: z.string().nullable() };

/** A found lesson: score and why it matched. */
export const LessonFound = z.object({ lesson: Lesson, score: z.number(), why: z.array(z.string()) });
export type LessonFound = z.infer<typeof LessonFound>;

/** Counts over the newest versions; `junk_rate` is between 0 and 1. */
export const LessonHealth = z.object({
  lessons: z.int(),
  groups: z.int(),
  grouped: z.int(),
  duplicates: z.int(),
  never_retrieved: z.int(),
  never_used: z.int(),
  contradicted: z.int(),
  quarantined: z.int(),
  retired: z.int(),
  confirmed: z.int(),
  junk_rate: z.number(),
});
export type LessonHealth = z.infer<typeof LessonHealth>;

export const LESSON_METHODS = {
  '_hca/lessons/search': {
    params: LessonQuery,
    result: z.object({ lessons: z.array(LessonFound) }),
    scope: 'read',
    summary: 'Lessons ranked for a text, within exact filters; each says why it matched.',
    command: 'lessons search',
  },
  '_hca/lessons/list': {
    params: z.object({ limit: z.int().min(1).max(1000).default(100), after: page.after, trust: Trust.optional() }),
    result: z.object({ lessons: z.array(Lesson), next: page.next }),
    scope: 'read',
    summary: 'Newest versions of all lessons, a page at a time.',
    command: 'lessons list',
  },
  '_hca/lessons/show': {
    params: named.extend({ version: z.int().min(1).optional() }),
    result: z.object({ lesson: Lesson }),
    scope: 'read',
    summary: 'One lesson, its newest version or another.',
    command: 'lessons show',
  },
  '_hca/lessons/history': {
    params: named,
    result: z.object({ lesson: z.string(), versions: z.array(Lesson) }),
    scope: 'read',
    summary: 'Every version of a lesson, and why it is there.',
    command: 'lessons history',
  },
  '_hca/lessons/diff': {
    params: named.extend({ from: z.int().min(1).optional(), to: z.int().min(1).optional() }),
    result: z.object({
      lesson: z.string(),
      from: z.int(),
      to: z.int(),
      changes: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
    }),
    scope: 'read',
    summary: 'What differs between two versions; the last two when none are named.',
    command: 'lessons diff',
  },
  '_hca/lessons/confirm': {
    params: decision,
    result: z.object({ lesson: Lesson }),
    scope: 'approve',
    summary: 'A person vouches for a lesson.',
    command: 'lessons confirm',
  },
  '_hca/lessons/retire': {
    params: decision,
    result: z.object({ lesson: Lesson }),
    scope: 'approve',
    summary: 'Takes a lesson out of use; its record stays.',
    command: 'lessons retire',
  },
  '_hca/lessons/rollback': {
    params: decision.extend({ to: z.int().min(1) }),
    result: z.object({ lesson: Lesson }),
    scope: 'approve',
    summary: 'Makes an earlier version the newest again.',
    command: 'lessons rollback',
  },
  '_hca/lessons/health': {
    params: z.object({}),
    result: LessonHealth,
    scope: 'read',
    summary: 'Duplicates, never retrieved, never used, contradicted, kept apart, and the junk rate.',
    command: 'lessons health',
  },
  '_hca/lessons/export': {
    params: z.object({ limit: z.int().min(1).max(1000).default(500), after: page.after }),
    result: z.object({ lessons: z.array(Lesson), next: page.next }),
    scope: 'read',
    summary: 'Newest versions as they are stored, for JSON Lines.',
    command: 'lessons export',
  },
  '_hca/lessons/import': {
    params: z.object({ lessons: z.array(z.record(z.string(), z.unknown())).min(1).max(500) }),
    result: z.object({
      results: z.array(z.object({ id: z.string(), status: z.enum(['quarantined', 'refused']), reason: z.string() })),
    }),
    scope: 'approve',
    summary: 'Takes in foreign lessons: kept apart until a person confirms them, or refused.',
    command: 'lessons import',
  },
} as const satisfies Record<`_hca/lessons/${string}`, MethodRow>;
