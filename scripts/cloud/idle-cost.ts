// What a deployment costs a month while nobody uses it, out of its own templates: what is paid for by the hour or the month, and the look of each minute.
// us-east-1, prices of 2026-11; storage is paid for by the GB and is not in it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { VARIABLES } from '#shared/contracts/storage.ts';

const HOURS = 730;

/** Dollars a month of one of each; of an endpoint in a network, in each of its subnets. */
const MONTHLY: Readonly<Record<string, number>> = {
  'AWS::CloudWatch::Alarm': 0.1,
  'AWS::CloudWatch::Dashboard': 3,
  'AWS::SecretsManager::Secret': 0.4,
  'AWS::KMS::Key': 1,
  'AWS::EC2::NatGateway': 0.045 * HOURS,
  'AWS::EC2::EIP': 0.005 * HOURS,
  'AWS::EC2::VPCEndpoint': 0.01 * HOURS,
};

/**
 * 43,800 minutes, at each two functions of 0.5 GB for 0.2 s ($0.20 a million and $13.33 a million GB-s) and seventeen reads of tables ($0.125 a million).
 */
const LOOKS = (43_800 * (2 * (0.2 + 0.1 * 13.33) + 17 * 0.125)) / 1_000_000;

/** Dollars an hour of a sandbox that is kept warm, by vCPU and by GB: Fargate, Linux, x86. */
const WARM = { vcpu: 0.040_48, gb: 0.004_445 };

const Text = z.union([z.string(), z.number()]).transform(Number);
const Template = z.looseObject({
  Resources: z.record(
    z.string(),
    z.looseObject({
      Type: z.string(),
      Properties: z
        .looseObject({
          VpcEndpointType: z.unknown().optional(),
          SubnetIds: z.array(z.unknown()).optional(),
          Cpu: Text.optional(),
          Memory: Text.optional(),
          Environment: z
            .looseObject({ Variables: z.record(z.string(), z.unknown()).optional() })
            .optional()
            .catch({}),
        })
        .optional(),
    }),
  ),
});
type Resource = z.infer<typeof Template>['Resources'][string];

/** What is paid for: type, how many, dollars a month. */
export interface IdleRow {
  type: string;
  count: number;
  usd: number;
}

/** Rows by type, the dearest first. */
export const idleCost = (templates: readonly unknown[]): IdleRow[] => {
  const resources = templates.flatMap((template) => Object.values(Template.parse(template).Resources));
  const counts = new Map<string, number>();
  for (const resource of resources)
    if (resource.Type in MONTHLY) counts.set(resource.Type, (counts.get(resource.Type) ?? 0) + placesOf(resource));
  return [...counts]
    .map(([type, count]) => ({ type, count, usd: count * (MONTHLY[type] ?? 0) }))
    .concat(warmIn(resources))
    .filter(({ usd }) => usd > 0)
    .sort((a, b) => b.usd - a.usd);
};

/** Tasks that run while nobody uses them: as many as the functions are told to keep. */
const warmIn = (resources: readonly Resource[]): IdleRow[] => {
  const told = resources.map(({ Properties }) => Properties?.Environment?.Variables?.[VARIABLES.sandboxWarm]);
  const count = Math.max(0, ...told.flatMap((warm) => (warm === undefined ? [] : [Number(warm)])));
  return resources
    .filter(({ Type }) => Type === 'AWS::ECS::TaskDefinition')
    .map(({ Type: type, Properties: { Cpu = 0, Memory = 0 } = {} }) => {
      const hourly = (Cpu / 1024) * WARM.vcpu + (Memory / 1024) * WARM.gb;
      return { type, count, usd: count * hourly * HOURS };
    });
};

/** An endpoint is paid for in each of its subnets, and one that is a route not at all. */
const placesOf = ({ Type, Properties }: Resource): number => {
  if (Type !== 'AWS::EC2::VPCEndpoint') return 1;
  return Properties?.VpcEndpointType === 'Interface' ? (Properties.SubnetIds?.length ?? 1) : 0;
};

/** Where a type's name does not say what is paid for. */
const NAMES: Readonly<Record<string, string>> = { 'AWS::ECS::TaskDefinition': 'warm sandbox' };

const Manifest = z.looseObject({
  artifacts: z.record(
    z.string(),
    z.looseObject({ properties: z.looseObject({ templateFile: z.string().optional() }).optional() }),
  ),
});

/** One line of an assembly's templates: the sum, and what it is made of. What an earlier synthesis left in the folder is not in its manifest. */
export const idleLine = (assembly: string): string => {
  const read = (file: string): unknown => JSON.parse(readFileSync(path.join(assembly, file), 'utf8'));
  const { artifacts } = Manifest.parse(read('manifest.json'));
  const files = Object.values(artifacts).flatMap(({ properties }) => properties?.templateFile ?? []);
  const rows = idleCost(files.map(read));
  const sum = rows.reduce((total, { usd }) => total + usd, LOOKS);
  const parts = rows.map(
    ({ type, count, usd }) => `${count} ${NAMES[type] ?? type.split('::').at(-1)} $${usd.toFixed(2)}`,
  );
  return `Idle: about $${sum.toFixed(2)} a month (${[...parts, `looks of each minute $${LOOKS.toFixed(2)}`].join(', ')}); storage by the GB`;
};
