// What a schema says is wrong with a package, as a person can use it: where something may be one of several shapes, what is wrong with the nearest.
import type * as z from 'zod';

/** The field by its path and what is wrong with it. */
export interface ClearIssue {
  path: string[];
  message: string;
}

/** The first issue; of a choice between shapes the shape that fits best, which is the one with the fewest faults. */
export const clearIssue = (issue: z.core.$ZodIssue | undefined): ClearIssue => {
  if (issue === undefined) return { path: [], message: 'it is not valid' };
  const path = issue.path.map(String);
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return { path, message: issue.message };
  const nearest = [...issue.errors].sort((left, right) => faultsIn(left) - faultsIn(right))[0];
  const inner = clearIssue(nearest?.[0]);
  return { path: [...path, ...inner.path], message: inner.message };
};

/** A field that is missing and one that is unknown at the same place are another shape, not a slip. */
const faultsIn = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.reduce((sum, issue) => sum + (issue.path.length <= 1 && issue.code !== 'too_big' ? 2 : 1), 0);
