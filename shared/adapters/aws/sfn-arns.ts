// ARNs of executions, and where a person sees one; apart from the client, which is needed for neither.
import type { MachineName } from '#shared/contracts/machines.ts';

/** ARNs of the machines by their names. */
export type MachineArns = Readonly<Record<MachineName, string>>;

/** `…:stateMachine:<machine>` to `…:execution:<machine>:<name>`. */
export const executionArn = (
  machines: MachineArns,
  { machine, name }: { machine: MachineName; name: string },
): string => `${machines[machine].replace(':stateMachine:', ':execution:')}:${name}`;

/** `arn:<partition>:states:<region>:<account>:execution:…`; only the public partition's console is known. */
export const linkOf = (arn: string): string | null => {
  const [, partition, , region] = arn.split(':');
  if (partition !== 'aws' || region === undefined) return null;
  return `https://${region}.console.aws.amazon.com/states/home?region=${region}#/v2/executions/details/${encodeURIComponent(arn)}`;
};
