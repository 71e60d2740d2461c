// A lesson: what a finished task teaches the next one (L3-LES).
import * as z from 'zod';
import { Budget } from './budget.ts';

/** Lesson record; every finished task keeps its own. */
export const Lesson = z.object({
  id: z.string().min(1).max(120),
  version: z.int().min(1),
  type: z.enum(['pattern', 'antipattern']),
  task_id: z.string(),
  holon: z.string(),
  domain: z.string(),
  family: z.string(),
  tags: z.array(z.string().max(80)).max(32),
  situation: z.string().max(2000),
  advice: z.string().max(2000),
  evidence: z.array(z.string()).max(32),
  spent: Budget,
  created_at: z.int(),
});
export type Lesson = z.infer<typeof Lesson>;

/** What PLAN asks (L3-KBQ-01 to L3-KBQ-03). */
export const LessonQuery = z.object({
  text: z.string().max(4000),
  domain: z.string().optional(),
  family: z.string().optional(),
  tags: z.array(z.string()).max(32).default([]),
  limit: z.int().min(1).max(50).default(5),
});
export type LessonQuery = z.infer<typeof LessonQuery>;
