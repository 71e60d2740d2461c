// Limits of a host that serves many people, from HCA_LIMITS (`frames=20,prompts=10`); what is not named is generous.
import { HcaFault } from '#shared/contracts/errors.ts';
import { Limits } from '#shared/contracts/limits.ts';

/** @throws HcaFault HcaBadInput naming the limit */
export const readLimits = (env: Readonly<Record<string, string | undefined>>): Limits => {
  const given = (env.HCA_LIMITS ?? '').split(',').filter((pair) => pair.trim() !== '');
  const pairs = given.map((pair) => pair.split('=').map((word) => word.trim()));
  const odd = pairs.find(([name = '', value]) => !Object.hasOwn(Limits.shape, name) || !value);
  if (odd !== undefined) throw bad(odd.join('='), 'there is no such limit, or it has no amount');
  const read = Limits.safeParse(Object.fromEntries(pairs));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw bad(String(issue?.path[0] ?? ''), issue?.message ?? 'not as expected');
};

const bad = (limit: string, why: string): HcaFault =>
  new HcaFault('HcaBadInput', {
    message: `HCA_LIMITS: ${limit}: ${why}`,
    field: 'HCA_LIMITS',
    remedy: `name some of ${Object.keys(Limits.shape).join(', ')}, like frames=50,prompts=60`,
  });
