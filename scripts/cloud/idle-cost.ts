// What a deployment costs while nothing runs, out of its own templates: what is paid for by the hour or the month. us-east-1, prices of 2026-11.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import * as z from 'zod';

const HOURS = 730;

/** Dollars a month of one of each; for an endpoint of a network, in each of its subnets. */
const MONTHLY: Readonly<Record<string, number>> = {
  'AWS::CloudWatch::Alarm': 0.1,
  'AWS::CloudWatch::Dashboard': 3,
  'AWS::SecretsManager::Secret': 0.4,
  'AWS::KMS::Key': 1,
  'AWS::EC2::NatGateway': 0.045 * HOURS,
  'AWS::EC2::EIP': 0.005 * HOURS,
  'AWS::EC2::VPCEndpoint': 0.01 * HOURS,
};

const Resource = z.looseObject({
  Type: z.string(),
  Properties: z
    .looseObject({ VpcEndpointType: z.string(), SubnetIds: z.array(z.unknown()) })
    .partial()
    .optional(),
});
type Resource = z.infer<typeof Resource>;
const Template = z.looseObject({ Resources: z.record(z.string(), Resource) });

/** What is paid for: each kind, how many, dollars a month; and the sum. */
export const idleCost = (templates: readonly unknown[]) => {
  const all = templates.flatMap((template) => Object.values(Template.parse(template).Resources));
  const rows = Object.entries(MONTHLY).flatMap(([type, price]) => {
    const count = all.filter(({ Type }) => Type === type).reduce((sum, resource) => sum + timesOf(resource), 0);
    return count === 0 ? [] : [{ type, count, dollars: count * price }];
  });
  return { rows, sum: rows.reduce((total, { dollars }) => total + dollars, 0) };
};

/** A gateway endpoint is free; an interface is paid for in each subnet. */
const timesOf = ({ Type, Properties }: Resource): number => {
  if (Type !== 'AWS::EC2::VPCEndpoint') return 1;
  return Properties?.VpcEndpointType === 'Interface' ? (Properties.SubnetIds?.length ?? 1) : 0;
};

/** The lines of a deployment's own templates; warm tasks of the sandbox are paid for by their time. */
export const idleLines = (assembly: string): string[] => {
  if (!existsSync(assembly)) return [];
  const files = readdirSync(assembly).filter((file) => file.endsWith('.template.json'));
  const { rows, sum } = idleCost(files.map((file) => JSON.parse(readFileSync(`${assembly}/${file}`, 'utf8'))));
  return [
    `While nothing runs: about $${sum.toFixed(2)} a month, without warm sandboxes (an account's first three dashboards and ten alarms are free)`,
    ...rows.map(
      ({ type, count, dollars }) =>
        `  ${type.replace(/^AWS::/, '').padEnd(24)} ${String(count).padStart(3)}  $${dollars.toFixed(2)}`,
    ),
    'Tables, bucket, bus, functions and machines cost what is used: npm run cost',
  ];
};
