// A dry run: the plan the house would make, shown and not started (requirements section 3, PLAN).
import { criteriaOf } from './criteria.ts';
import type { Handler } from './ports.ts';
import { sourceOf } from './where.ts';

/** A goal that would be rejected is a plan with `ok: false` and the reason, not an error. */
export const previewPlan: Handler<'_hca/task/plan'> = async ({ params, principal, door }) => {
  const criteria = criteriaOf(params.criteria);
  const { workspace } = await sourceOf(params.workspace, { principal, door });
  return door.preview(principal.tenant, { goal: params.goal, criteria, workspace });
};
