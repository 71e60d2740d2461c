// What a completed child hands over, read from its message on the wait (L2-DEL; architecture section 3).
import type { Outcome } from '#shared/contracts/effects.ts';
import { PARAMS } from '#shared/contracts/messages.ts';
import type { DelegationRecord } from '#shared/contracts/task.ts';

/** Its change, the patch beside it and the verdict; null for an outcome that is no completion. */
export const resultOf = (
  outcome: Outcome | null | undefined,
): Pick<DelegationRecord, 'artifact' | 'patch' | 'verdict'> | null => {
  if (outcome?.word !== 'completed') return null;
  const { artifacts, verdict } = PARAMS['hca/task/complete'].parse(outcome.body);
  const artifact = artifacts.find(({ kind }) => kind === 'change-set') ?? null;
  const patch = artifacts.find(({ kind }) => kind === 'patch') ?? null;
  return { artifact, patch, verdict };
};
