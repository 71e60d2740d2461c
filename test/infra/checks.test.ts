// cdk-nag finds nothing that is not acknowledged with a reason, where it arises; and templates hold against the schemas of their resources.
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, test } from 'vitest';
import { permissionsIn, propertiesOf, synthesized, templatesOf } from '#test/support/synth.ts';
import { environmentNamed } from '../../infra/environments.ts';

/** What an ARN that is joined when deployed ends with. */
const endOf = (resource: string): string => {
  const joined = (JSON.parse(resource) as { 'Fn::Join': [string, unknown[]] })['Fn::Join'][1];
  const text = joined.map((part) => (typeof part === 'string' ? part : KNOWN[JSON.stringify(part)])).join('');
  return text.replace(/^.*:(role|stack)\//, '');
};
const KNOWN: Readonly<Record<string, string>> = {
  '{"Ref":"AWS::AccountId"}': '<account>',
  '{"Ref":"AWS::Region"}': '<region>',
  '{"Ref":"AWS::Partition"}': 'aws',
};

describe('checks', () => {
  test.each(['dev', 'staging', 'prod'])('%s is clean', (name) => {
    expect(templatesOf(name).violations).toEqual([]);
  });

  test('with tokens in place of signed requests too', () => {
    const auth = { kind: 'jwt', issuer: 'https://login.example.org', audience: 'hca' } as const;
    expect(templatesOf('prod', { auth }).violations).toEqual([]);
  });

  test('templates are what their resources take', () => {
    expect(synthesized(environmentNamed('prod'), { schemas: true }).violations).toEqual([]);
  });

  test('a pipeline may deploy one environment from one branch of one repository, and take the roles of CDK for it alone', () => {
    const from = { repository: 'acme/hca', ref: 'refs/heads/main' };
    const { violations, deployer } = templatesOf('staging', { deployer: from });
    expect(violations).toEqual([]);
    if (deployer === null) throw new Error('there is no stack of the deployer');
    const [role] = Object.values(propertiesOf(deployer, 'AWS::IAM::Role'));
    expect(role?.AssumeRolePolicyDocument).toMatchObject({
      Statement: [
        {
          Action: 'sts:AssumeRoleWithWebIdentity',
          Condition: {
            StringEquals: {
              'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
              'token.actions.githubusercontent.com:sub': 'repo:acme/hca:environment:staging',
              'token.actions.githubusercontent.com:ref': 'refs/heads/main',
            },
          },
        },
      ],
    });
    const may = permissionsIn(deployer).map(({ action, resource }) => `${action} ${endOf(resource)}`);
    expect(may.sort()).toEqual([
      'cloudformation:DescribeStacks CDKToolkit/*',
      'cloudformation:DescribeStacks hca-staging-*',
      'sts:AssumeRole cdk-hnb659fds-deploy-role-<account>-<region>',
      'sts:AssumeRole cdk-hnb659fds-file-publishing-role-<account>-<region>',
      'sts:AssumeRole cdk-hnb659fds-lookup-role-<account>-<region>',
    ]);
  });

  test('what is not acknowledged is found', () => {
    const spoil = ({ data }: { data: ConstructorParameters<typeof Bucket>[0] }): void => void new Bucket(data, 'Open');
    expect(() => synthesized(environmentNamed('dev'), { spoil })).toThrow('AwsSolutions-S10');
  });

  test('a resource ends with * only where it is made at run time', () => {
    const endless = permissionsIn(templatesOf('prod').app).filter(({ resource }) => resource.includes('*'));
    const kinds = endless.map(({ action }) => action.split(':')[0]);
    expect([...new Set(kinds)].sort()).toEqual([
      'dynamodb',
      'ec2',
      'ecs',
      'execute-api',
      'logs',
      's3',
      'states',
      'xray',
    ]);
    const tables = endless.filter(({ action }) => action.startsWith('dynamodb:'));
    expect(tables.map(({ action }) => action)).toEqual(['dynamodb:ListStreams']);
  });
});
