// The baseline: every check run once on the untouched snapshot, so that what was red before is known (requirements section 3).
import type { CheckRun } from '#shared/contracts/criterion.ts';
import type { Plan } from '#shared/contracts/plan.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { storeJson } from '../loop/artifacts.ts';
import { runChecks } from '../loop/checks.ts';
import { openWork, placeOf } from '../loop/session.ts';

/** Runs, whether the ledger ended it early, and what is said of the dependencies where they are not the original's. A task without a workspace runs its checks in an empty session. */
export const baselineOf = async (
  record: TaskRecord,
  plan: Plan,
  ports: StepPorts<'plan'>,
): Promise<{ runs: CheckRun[]; spent: boolean; dependencies?: string | undefined }> => {
  await ports.ledger.settleOpen(record.tenant, record.id);
  const opened = await openWork(record, ports);
  const checked = await runChecks(
    plan.criteria,
    placeOf(record, { session: opened.session, tree: opened.tree, lane: 'worker' }),
    ports,
  );
  if (checked.evidence.length > 0) {
    await storeJson(record, { name: 'baseline-evidence.json', kind: 'evidence', body: checked.evidence }, ports);
  }
  return { runs: checked.runs, spent: checked.spent, dependencies: opened.dependencies };
};
