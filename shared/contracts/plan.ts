// A plan: what was understood, the criteria, the allocation, and either one alternative (leaf) or waves of children (L2-PLN).
import * as z from 'zod';
import { Budget } from './budget.ts';
import { CheckRun, Criterion } from './criterion.ts';
import { FrozenCall } from './frozen-tool.ts';
import { HolonId } from './ids.ts';
import { LessonEffect } from './lesson.ts';
import { Project } from './project.ts';

/** One child as a coordinator plans it; `slot` is unique within the task's iteration. `family` null: the child splits the goal further. */
export const ChildPlan = z.object({
  slot: z.int().min(0).max(1295),
  goal: z.string().min(1).max(16_000),
  family: z.string().nullable(),
  holon: HolonId,
  criteria: z.array(z.string()).max(64),
  budget: Budget,
});
export type ChildPlan = z.infer<typeof ChildPlan>;

/** What a leaf will do in this iteration: one alternative of one frozen tool, already expanded for the workspace. */
export const LeafPlan = z.object({
  alternative: z.string(),
  rank: z.int(),
  calls: z.array(FrozenCall).max(200),
});
export type LeafPlan = z.infer<typeof LeafPlan>;

/**
 * The plan of one iteration. `project`: what the workspace was found to have, without its packages. `params`: numbers and names from the
 * goal. `baseline` is every check run once on the untouched snapshot; `lessons` are the ids it cites, `learned` is what it does otherwise
 * because of them (L3-CTL-02).
 */
export const Plan = z.object({
  iteration: z.int().min(1),
  goal: z.string(),
  clauses: z.array(z.string()).max(64),
  family: z.string(),
  harness: z.string(),
  params: z.record(z.string(), z.string()),
  project: Project.nullable(),
  criteria: z.array(Criterion).max(64),
  allocation: z.object({ work: Budget, review: Budget }),
  leaf: LeafPlan.nullable(),
  waves: z.array(z.array(ChildPlan).min(1).max(40)).max(16),
  baseline: z.array(CheckRun).max(64),
  lessons: z.array(z.string()).max(50),
  learned: z.array(LessonEffect).max(64).default([]),
  feedback: z.array(z.string()).max(64),
  evaluator: HolonId,
});
export type Plan = z.infer<typeof Plan>;
