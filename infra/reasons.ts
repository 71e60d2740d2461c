// Findings of cdk-nag that we live with: each is acknowledged where it arises, with the reason, and nowhere wholesale.
import { Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Acknowledges findings of a construct (not of its stack): `Rule` or `Rule[Finding]` to a sentence that says why. */
export const because = (construct: IConstruct, reasons: Readonly<Record<string, string>>): void => {
  for (const [id, reason] of Object.entries(reasons)) Validations.of(construct).acknowledge({ id, reason });
};

/** Acknowledges that a role's resources end with `*`, each of them by name. */
export const becauseEndless = (role: IConstruct, resources: readonly string[], reason: string): void => {
  const stack = Stack.of(role);
  for (const resource of resources)
    because(role, { [`AwsSolutions-IAM5[Resource::${spelled(stack.resolve(resource))}]`]: reason });
};

/** An ARN as cdk-nag spells it: what is known only when deployed stands in angle brackets. */
const spelled = (resolved: unknown): string => {
  if (typeof resolved === 'string') return resolved;
  if (typeof resolved !== 'object' || resolved === null) return '';
  if ('Ref' in resolved) return `<${String(resolved.Ref)}>`;
  const joined = 'Fn::Join' in resolved ? resolved['Fn::Join'] : undefined;
  return Array.isArray(joined) && Array.isArray(joined[1]) ? joined[1].map(spelled).join(String(joined[0])) : '';
};
