// What a person prefers for one task: a harness package and a model. Both only ever narrow what policy and holarchy allow (requirements 8).
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Policy } from '#shared/contracts/policy.ts';
import { firstMatch } from '#shared/domain/glob.ts';
import type { Ports } from '#shared/ports/index.ts';

/** The policy of a new root task. @throws HcaFault HcaBadInput for a harness that is not there, HcaDenied for a model that is not allowed. */
export const policyFor = async (
  { holons, profiles }: Pick<Ports, 'holons' | 'profiles'>,
  tenant: string,
  asked: { harness?: string | undefined; model?: string | undefined },
): Promise<Policy> => {
  const { harness, model } = asked;
  const names = await profiles.names();
  if (harness !== undefined && !names.includes(harness)) throw noHarness(harness, names);
  const policy = await holons.policy(tenant);
  if (model === undefined) return policy;
  if (firstMatch(policy.models, model) === null) throw notAllowed(model);
  return { ...policy, models: [model] };
};

const noHarness = (harness: string, names: readonly string[]): HcaFault =>
  new HcaFault('HcaBadInput', {
    message: `there is no harness package "${harness}"`,
    field: 'harness',
    remedy: `use one of ${names.join(', ')}, or leave it out`,
  });

const notAllowed = (model: string): HcaFault =>
  new HcaFault('HcaDenied', {
    message: `policy does not allow the model "${model}"`,
    field: 'model',
    remedy: 'leave it out, or add it to "policy.models" of the holarchy',
  });
