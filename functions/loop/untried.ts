// Whether a leaf has an alternative it did not try yet: an untried alternative counts as new evidence (requirements section 3).
import type { TaskRecord } from '#shared/contracts/task.ts';
import type { PortAccess } from '#shared/ports/index.ts';
import { nextFor } from './alternatives.ts';

/** False for a coordinator: its children were the alternatives. */
export const hasUntried = async (
  record: TaskRecord,
  ports: { profiles: PortAccess['profiles']['read'] },
): Promise<boolean> => {
  const { plan } = record;
  if (plan === null || plan.leaf === null) return false;
  const harness = (await ports.profiles.all()).find(({ name }) => name === plan.harness);
  if (harness === undefined) return false;
  return nextFor({ record, plan, harness, iteration: record.iteration + 1 }) !== null;
};
