// What differs between environments, and that two of them in one account do not meet (requirements section 9).
import { describe, expect, test, vi } from 'vitest';
import { CONTENT_DAYS } from '#shared/contracts/bucket.ts';
import { VARIABLES } from '#shared/contracts/storage.ts';
import { propertiesOf, type Templates, templatesOf } from '#test/support/synth.ts';
import { ENVIRONMENTS, environmentNamed } from '../../infra/environments.ts';

const dev = templatesOf('dev');
const staging = templatesOf('staging');
const prod = templatesOf('prod');

interface Written {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
  Outputs?: Record<string, { Export?: { Name: unknown } }>;
}

/** A property that is the name of something of the account or the world; those of parts belong to what they are part of. */
const isName = ([key, value]: [string, unknown]): boolean => {
  if (!key.endsWith('Name') || /^(Stage|Schema|Metric|Policy|Service)Name$/.test(key)) return false;
  return typeof value === 'string' || /"Fn::(Join|Sub)"/.test(JSON.stringify(value));
};

/** Every name that is written down in a template or put together there, by type; and every export. */
const namesIn = ({ data, sandbox, app }: Templates): string[] =>
  [data, sandbox, app].flatMap((template) => {
    const { Resources, Outputs = {} } = template.toJSON() as Written;
    const exports = Object.values(Outputs).flatMap(({ Export }) => (Export === undefined ? [] : [Export.Name]));
    return [
      ...Object.values(Resources).flatMap(({ Type, Properties = {} }) =>
        Object.entries(Properties)
          .filter(isName)
          .map(([key, value]) => `${Type} ${key} ${JSON.stringify(value)}`),
      ),
      ...exports.map((name) => `export ${JSON.stringify(name)}`),
    ];
  });

/** Types of resources that outlive their stack. */
const stayingOf = ({ data, sandbox, app }: Templates): string[] => {
  const all = [data, sandbox, app].flatMap((template) =>
    Object.values(template.toJSON().Resources as Record<string, { Type: string; DeletionPolicy?: string }>),
  );
  const staying = all.filter(({ DeletionPolicy = 'Delete' }) => DeletionPolicy !== 'Delete');
  return [...new Set(staying.map(({ Type }) => Type))].sort();
};

const isTagged = (tags: unknown, environment: string, part: string): boolean => {
  const text = JSON.stringify(tags);
  const has = (key: string, value: string): boolean =>
    text.includes(`{"Key":"${key}","Value":"${value}"}`) || text.includes(`"${key}":"${value}"`);
  return has('hca:environment', environment) && has('hca:part', part);
};

describe('environments', () => {
  test('an unknown one fails with the list of names', () => {
    expect(() => environmentNamed('production')).toThrow(/"production"; give one of: dev, staging, prod/);
  });

  test('two of them share no name', () => {
    const all = { dev: namesIn(dev), staging: namesIn(staging), prod: namesIn(prod) };
    for (const [environment, names] of Object.entries(all)) {
      expect(names.filter((name) => !name.includes(`hca-${environment}`))).toEqual([]);
      for (const type of ['S3::Bucket ', 'Logs::LogGroup ', 'Events::Rule ', 'Alarm ', 'Dashboard ', 'Function '])
        expect(names.join(), type).toContain(type);
      expect(names.some((name) => name.startsWith('export '))).toBe(true);
    }
    const names = Object.values(all).flat();
    expect(names.length).toBeGreaterThan(200);
    expect(names).toHaveLength(new Set(names).size);
  });

  test('production keeps what is stored and can go back in time', () => {
    const [table] = Object.values(prod.data.findResources('AWS::DynamoDB::Table'));
    expect(table).toMatchObject({
      DeletionPolicy: 'Retain',
      Properties: {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    });
    const [bucket] = Object.values(prod.data.findResources('AWS::S3::Bucket'));
    expect(bucket).toMatchObject({
      DeletionPolicy: 'Retain',
      Properties: { VersioningConfiguration: { Status: 'Enabled' } },
    });
  });

  test('nothing else stays, and is paid for, when an environment is taken away', () => {
    const stored = Object.values(dev.data.findResources('AWS::DynamoDB::Table'));
    expect(stored.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(stored.map(() => 'Delete'));
    expect([stayingOf(dev), stayingOf(staging)]).toEqual([[], []]);
    expect(stayingOf(prod)).toEqual(['AWS::DynamoDB::Table', 'AWS::S3::Bucket']);
  });

  test('the bus cannot run away with an account in production', () => {
    const limited = Object.values(propertiesOf(prod.app, 'AWS::Lambda::Function')).filter(
      ({ ReservedConcurrentExecutions }) => ReservedConcurrentExecutions !== undefined,
    );
    expect(limited.map(({ FunctionName }) => FunctionName).sort()).toEqual([
      'hca-prod-answer',
      'hca-prod-learn',
      'hca-prod-route',
      'hca-prod-stream',
      'hca-prod-sweep',
    ]);
  });

  test('a boundary bounds every role, an address gets every alarm', () => {
    const { app, sandbox } = templatesOf('prod', {
      permission_boundary: 'arn:aws:iam::111122223333:policy/edge',
      alarm_address: 'ops@example.com',
    });
    const roles = [app, sandbox].flatMap((template) => Object.values(propertiesOf(template, 'AWS::IAM::Role')));
    expect(Object.keys(propertiesOf(sandbox, 'AWS::IAM::Role')).length).toBeGreaterThan(1);
    expect(roles.filter(({ PermissionsBoundary }) => PermissionsBoundary === undefined)).toEqual([]);
    const alarms = Object.values(propertiesOf(app, 'AWS::CloudWatch::Alarm'));
    expect(alarms.length).toBeGreaterThan(5);
    expect(alarms.filter(({ AlarmActions }) => AlarmActions === undefined)).toEqual([]);
  });

  test('content of workspaces goes by the rule that the adapters count on, and nothing else does', () => {
    const [bucket] = Object.values(propertiesOf(prod.data, 'AWS::S3::Bucket'));
    expect(bucket?.LifecycleConfiguration).toMatchObject({
      Rules: [
        expect.not.objectContaining({ ExpirationInDays: expect.anything() }),
        { Prefix: '_workspaces/', ExpirationInDays: CONTENT_DAYS.expire, Status: 'Enabled' },
      ],
    });
  });

  test('whoever starts a sandbox knows what it is tagged with', () => {
    const starters = Object.values(propertiesOf(dev.app, 'AWS::Lambda::Function')).filter(({ Environment }) =>
      JSON.stringify(Environment).includes(VARIABLES.sandboxTask),
    );
    expect(starters.length).toBeGreaterThan(3);
    for (const starter of starters)
      expect(starter.Environment).toMatchObject({ Variables: { [VARIABLES.deployment]: 'hca-dev' } });
  });

  test('a network that is there already is taken for the sandboxes', () => {
    vi.stubEnv('CDK_DEFAULT_ACCOUNT', '111122223333');
    vi.stubEnv('CDK_DEFAULT_REGION', 'eu-central-1');
    const { sandbox, app } = templatesOf('prod', { vpc: 'vpc-12345' });
    vi.unstubAllEnvs();
    expect(Object.keys(propertiesOf(sandbox, 'AWS::EC2::VPC'))).toEqual([]);
    const groups = Object.values(propertiesOf(sandbox, 'AWS::EC2::SecurityGroup'));
    expect(groups.map(({ VpcId }) => VpcId)).toEqual(groups.map(() => 'vpc-12345'));
    expect(Object.keys(propertiesOf(app, 'AWS::Lambda::Function')).length).toBeGreaterThan(20);
  });

  test('everything that can bear a tag says whose it is and which part of it, for the bill', () => {
    for (const [part, template] of Object.entries({ data: prod.data, sandbox: prod.sandbox, app: prod.app })) {
      const tagged = Object.values(template.toJSON().Resources as Record<string, { Properties?: { Tags?: unknown } }>)
        .map(({ Properties }) => Properties?.Tags)
        .filter((tags) => tags !== undefined);
      expect(tagged.length, part).toBeGreaterThan(5);
      expect(tagged.filter((tags) => !isTagged(tags, 'prod', part))).toEqual([]);
    }
  });

  test('every function and machine writes to a log of ours that ends', () => {
    const logs = Object.values(propertiesOf(prod.app, 'AWS::Logs::LogGroup'));
    expect(logs.filter(({ RetentionInDays }) => RetentionInDays !== 365)).toEqual([]);
    const names = logs.map(({ LogGroupName }) => LogGroupName);
    for (const { FunctionName } of Object.values(propertiesOf(prod.app, 'AWS::Lambda::Function')))
      expect(names).toContain(`/aws/lambda/${String(FunctionName)}`);
    for (const { StateMachineName } of Object.values(propertiesOf(prod.app, 'AWS::StepFunctions::StateMachine')))
      expect(names).toContain(`/aws/vendedlogs/states/${String(StateMachineName)}`);
  });

  test('no secret is in a template: those that are made are made by Secrets Manager, and functions know their names', () => {
    const secrets = Object.values(propertiesOf(prod.sandbox, 'AWS::SecretsManager::Secret'));
    expect(secrets.length).toBeGreaterThan(0);
    expect(secrets.filter(({ SecretString, GenerateSecretString }) => SecretString || !GenerateSecretString)).toEqual(
      [],
    );
    const variables = Object.values(propertiesOf(prod.app, 'AWS::Lambda::Function')).flatMap(({ Environment }) =>
      Object.keys((Environment as { Variables: object }).Variables),
    );
    const hiding = [...new Set(variables)].filter((name) => /KEY|TOKEN|SECRET|PASS|CREDENTIAL/.test(name));
    expect(hiding).toEqual([VARIABLES.sandboxSecret]);
  });

  test('every environment has a name that fits', () => {
    expect(ENVIRONMENTS.map(({ name }) => /^[a-z][a-z0-9]{0,11}$/.test(name))).not.toContain(false);
  });
});
