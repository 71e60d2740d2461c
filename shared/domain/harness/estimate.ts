// What a task will cost at least, from what the frozen tools declare: the ground of a counter-offer (L2-NEG-03).
import type { Criterion } from '#shared/contracts/criterion.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import type { Project } from '#shared/contracts/project.ts';
import { costOf, toolsFor } from './alternatives.ts';
import { expandTool } from './expand.ts';

/** `family` null (not read yet): every family of the harness is considered. */
export type EstimateQuestion = { family: string | null; criteria: readonly Criterion[] };

/** A check run costs about this much; what it really took is known from past tasks. */
const CHECK_MS = 2000;

/**
 * Calls and milliseconds of the first attempt: the weakest alternative that has something to do, and one run of every check before and
 * after it. Without a project the tools' declared numbers count as they are.
 */
export function estimate(
  harness: HarnessPackage,
  project: Project | null,
  { family, criteria }: EstimateQuestion,
): { calls: number; time_ms: number } {
  const families = harness.families.map(({ name }) => name).filter((name) => family === null || name === family);
  const costs = families.map((name) => firstCost(harness, project, { family: name, criteria }));
  const runs = 2 * criteria.filter((one) => one.check.kind !== 'diff').length;
  return {
    calls: Math.max(0, ...costs.map((cost) => cost.calls)) + runs,
    time_ms: Math.max(0, ...costs.map((cost) => cost.time_ms)) + runs * CHECK_MS,
  };
}

function firstCost(
  harness: HarnessPackage,
  project: Project | null,
  question: { family: string; criteria: readonly Criterion[] },
) {
  const { criteria } = question;
  const costs = toolsFor(harness, question.family, { criteria, project }).map((tool) => {
    const calls =
      project === null
        ? tool.steps.length
        : expandTool(tool, { criteria, project, iteration: 1, params: {}, green: [] }).length;
    return { ...costOf(tool, calls), idle: calls === 0 };
  });
  return costs.find((cost) => !cost.idle) ?? { calls: 0, time_ms: 0 };
}
