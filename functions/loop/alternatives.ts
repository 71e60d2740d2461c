// The next alternative of a frozen tool for a task, by what was tried: weakest first (requirements section 6, Frozen tools).
import type { Alternative } from '#shared/contracts/frozen-tool.ts';
import type { Plan } from '#shared/contracts/plan.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { nextAlternative } from '#shared/domain/harness/alternatives.ts';

interface Question {
  record: TaskRecord;
  plan: Pick<Plan, 'family' | 'criteria' | 'project' | 'params' | 'baseline'>;
  harness: HarnessPackage;
  iteration: number;
}

/** The alternative for an iteration, or null when nothing is left. */
export const nextFor = ({ record, plan, harness, iteration }: Question): Alternative | null =>
  nextAlternative({
    harness,
    family: plan.family,
    criteria: plan.criteria,
    project: plan.project,
    tried: record.attempts.map(({ alternative }) => alternative),
    iteration,
    params: plan.params,
    green: plan.baseline.filter(({ outcome }) => outcome === 'pass').map(({ criterion }) => criterion),
  });
