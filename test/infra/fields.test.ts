// Every field of an environment's record has an effect: each is changed alone, and what it is about changes in the templates (requirements section 9).
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { synthesized, type Templates, templatesOf } from '#test/support/synth.ts';
import { type Environment, environmentNamed } from '../../infra/environments.ts';

const { retention, quotas } = environmentNamed('dev');
const fargate = { kind: 'fargate', cpu: 1024, memory_mb: 4096, warm: 0 } as const;
const LOGS = 'AWS::Logs::LogGroup';
const STAGE = 'AWS::ApiGatewayV2::Stage';
const FUNCTION = 'AWS::Lambda::Function';

/** A field, what it is changed to, and types of resources that are then others than before. */
const CHANGES: [field: string, to: Partial<Environment>, changed: string[]][] = [
  ['name', { name: 'other' }, ['AWS::DynamoDB::Table', 'AWS::StepFunctions::StateMachine', FUNCTION, LOGS]],
  ['removal', { removal: 'keep' }, ['AWS::DynamoDB::Table', 'AWS::S3::Bucket']],
  ['recovery', { recovery: true }, ['AWS::DynamoDB::Table']],
  ['retention.logs', { retention: { ...retention, logs: 30 } }, [LOGS]],
  ['retention.archive', { retention: { ...retention, archive: 8 } }, ['AWS::Events::Archive']],
  ['retention.versions', { retention: { ...retention, versions: 8 } }, ['AWS::S3::Bucket']],
  ['alarms', { alarms: false }, ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::Dashboard']],
  ['alarm_address', { alarm_address: 'ops@example.org' }, ['AWS::CloudWatch::Alarm', 'AWS::SNS::Subscription']],
  ['quotas.rate', { quotas: { ...quotas, rate: 7 } }, [STAGE]],
  ['quotas.burst', { quotas: { ...quotas, burst: 7 } }, [STAGE]],
  ['concurrency', { concurrency: { work: 7 } }, [FUNCTION]],
  [
    'domain',
    { domain: { name: 'hca.example.org', certificate: 'arn:aws:acm:us-east-1:111122223333:certificate/a' } },
    ['AWS::ApiGatewayV2::ApiMapping', 'AWS::ApiGatewayV2::DomainName'],
  ],
  [
    'auth',
    { auth: { kind: 'jwt', issuer: 'https://login.example.org', audience: 'hca' } },
    ['AWS::ApiGatewayV2::Authorizer', 'AWS::ApiGatewayV2::Route', FUNCTION],
  ],
  ['sandbox.cpu', { sandbox: { ...fargate, cpu: 2048 } }, ['AWS::ECS::TaskDefinition']],
  ['sandbox.memory_mb', { sandbox: { ...fargate, memory_mb: 8192 } }, ['AWS::ECS::TaskDefinition']],
  ['sandbox.warm', { sandbox: { ...fargate, warm: 2 } }, [FUNCTION]],
  [
    'sandbox.kind',
    { sandbox: { kind: 'endpoint', url: 'https://tools.example.org', secret: 'tools-key' } },
    ['AWS::EC2::VPC', 'AWS::ECS::Cluster', 'AWS::ECS::TaskDefinition', FUNCTION],
  ],
  ['vpc', { vpc: 'vpc-12345' }, ['AWS::EC2::SecurityGroup', 'AWS::EC2::VPC']],
  ['permission_boundary', { permission_boundary: 'arn:aws:iam::111122223333:policy/edge' }, ['AWS::IAM::Role']],
  ['machine_log', { machine_log: 'ERROR' }, ['AWS::StepFunctions::StateMachine']],
  ['deployer', { deployer: { repository: 'acme/hca', ref: 'refs/heads/main' } }, ['AWS::IAM::Role']],
];

type Resources = Record<string, { Type: string }>;

/** By stack and logical id. */
const resourcesOf = ({ data, sandbox, app, deployer }: Templates): Resources =>
  Object.fromEntries(
    Object.entries({ data, sandbox, app, deployer }).flatMap(([stack, template]) =>
      Object.entries((template?.toJSON().Resources ?? {}) as Resources).map(([id, one]) => [`${stack} ${id}`, one]),
    ),
  );

/** Types of which a resource came, went or is another. */
const differing = (before: Resources, after: Resources): string[] => {
  const ids = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...ids].filter((id) => JSON.stringify(before[id]) !== JSON.stringify(after[id]));
  return [...new Set(changed.map((id) => (before[id] ?? after[id])?.Type ?? ''))].sort();
};

describe('a field that is changed', () => {
  let before: Resources = {};
  // A network that is there already is looked up in an account.
  beforeAll(() => {
    vi.stubEnv('CDK_DEFAULT_ACCOUNT', '111122223333');
    vi.stubEnv('CDK_DEFAULT_REGION', 'eu-central-1');
    before = resourcesOf(templatesOf('dev'));
  });
  afterAll(() => void vi.unstubAllEnvs());

  test.each(CHANGES)('%s', (_field, to, changed) => {
    const found = differing(before, resourcesOf(synthesized({ ...environmentNamed('dev'), ...to }, { rules: false })));
    expect(found).toEqual(expect.arrayContaining(changed));
  });

  test('is each of them', () => {
    const named = new Set(CHANGES.map(([field]) => field.split('.')[0]));
    expect(Object.keys(environmentNamed('dev')).filter((field) => !named.has(field))).toEqual([]);
  });
});
