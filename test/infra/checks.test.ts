// cdk-nag finds nothing that is not acknowledged with a reason, where it arises; and templates hold against the schemas of their resources.
import { readFileSync } from 'node:fs';
import { App, Validations } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { permissionsIn, templatesOf } from '#test/support/synth.ts';
import { environmentNamed } from '../../infra/environments.ts';
import { addStacks } from '../../infra/stacks.ts';

const Report = z.looseObject({
  pluginReports: z.array(z.looseObject({ violations: z.array(z.looseObject({ ruleName: z.string() })) })),
});

/** Rules that an app violates without a reason, by the report that its synthesis writes. */
const violations = (app: App): string[] => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const { directory } = app.synth();
  const report = Report.parse(JSON.parse(readFileSync(`${directory}/validation-report.json`, 'utf8')));
  return report.pluginReports.flatMap((plugin) => plugin.violations.map(({ ruleName }) => ruleName));
};

const line = () => Code.fromInline('export const handler = () => 1');

describe('checks', () => {
  test.each(['dev', 'prod'])('%s is clean', (name) => {
    const app = new App({ builtinCloudFormationValidation: name === 'prod' });
    addStacks(app, environmentNamed(name), line);
    expect(violations(app)).toEqual([]);
  });

  test('with tokens in place of signed requests too', () => {
    const app = new App({ builtinCloudFormationValidation: false });
    const auth = { kind: 'jwt', issuer: 'https://issuer.example', audience: 'hca' } as const;
    addStacks(app, { ...environmentNamed('prod'), auth }, line);
    expect(violations(app)).toEqual([]);
  });

  test('a pipeline may deploy one environment of one repository, and take the roles of CDK alone', () => {
    const app = new App({ builtinCloudFormationValidation: false });
    addStacks(app, { ...environmentNamed('staging'), deployer: 'acme/hca' }, line);
    expect(violations(app)).toEqual([]);
    const template = app.synth().getStackByName('hca-staging-deployer').template;
    const text = JSON.stringify(template);
    expect(text).toContain('repo:acme/hca:environment:staging');
    expect(text.match(/"(sts|cloudformation):[A-Za-z]+"/g)).toEqual([
      '"sts:AssumeRoleWithWebIdentity"',
      '"sts:AssumeRole"',
      '"cloudformation:DescribeStacks"',
    ]);
  });

  test('what is not acknowledged is found', () => {
    const app = new App({ builtinCloudFormationValidation: false });
    const { data } = addStacks(app, environmentNamed('dev'), line);
    new Bucket(data, 'Open');
    expect(() => violations(app)).toThrow('AwsSolutions-S10');
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
