// What a completed child hands over, read from its message on the wait (L2-DEL; architecture section 3).
import type { ArtifactRef } from './artifact.ts';
import type { Outcome } from './effects.ts';
import { PARAMS } from './messages.ts';
import type { Verdict } from './verdict.ts';

/** Its change, the patch beside it and its verdict. */
export interface Completion {
  artifact: ArtifactRef | null;
  patch: ArtifactRef | null;
  verdict: Verdict | null;
}

/** Null for an outcome that is no completion. */
export const completionOf = (outcome: Outcome | null | undefined): Completion | null => {
  if (outcome?.word !== 'completed') return null;
  const { artifacts, verdict } = PARAMS['hca/task/complete'].parse(outcome.body);
  const artifact = artifacts.find(({ kind }) => kind === 'change-set') ?? null;
  const patch = artifacts.find(({ kind }) => kind === 'patch') ?? null;
  return { artifact, patch, verdict };
};
