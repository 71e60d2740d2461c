// A sandbox task as it is deployed: no credentials, nothing told to it but how to sleep, reached by our functions alone; and who may start one.
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { SANDBOX_TASK } from '#shared/contracts/sandbox-task.ts';
import { permissionsIn, propertiesOf, sandboxContainer, templatesOf } from '#test/support/synth.ts';

const { sandbox, app } = templatesOf('prod');
const one = (type: string): Record<string, unknown> => {
  const [only = {}, ...more] = Object.values(propertiesOf(sandbox, type));
  expect(more).toEqual([]);
  return only;
};

describe('a task', () => {
  test('has no role, so that no credentials are in it; what starts it may write its log and nothing else', () => {
    const definition = one('AWS::ECS::TaskDefinition');
    expect(definition).not.toHaveProperty('TaskRoleArn');
    const starter = JSON.stringify(definition.ExecutionRoleArn);
    const roles = permissionsIn(sandbox).filter(({ role }) => starter.includes(role));
    expect(roles.map(({ action }) => action).sort()).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
  });

  test('listens for our functions and sleeps, and is told no secret', () => {
    const { environment, command, properties } = sandboxContainer(sandbox);
    expect(command).toEqual(['--host', '0.0.0.0', '--port', String(SANDBOX_TASK.port)]);
    expect(environment).toMatchObject({ OH_DEFERRED_INIT: 'true', OH_ENABLE_VSCODE: 'false' });
    expect(properties).toMatchObject({
      Name: SANDBOX_TASK.container,
      Image: expect.stringMatching(/:1\.44\.\d+-python$/),
    });
    expect(properties).not.toHaveProperty('Secrets');
  });

  test('is reached by our functions at its port, and reaches HTTPS alone where the policy closes the network', () => {
    const groups = Object.values(propertiesOf(sandbox, 'AWS::EC2::SecurityGroup'));
    const ports = (description: string): unknown =>
      groups
        .filter(({ GroupDescription }) => GroupDescription === description)
        .flatMap(({ SecurityGroupEgress }) => SecurityGroupEgress)
        .map((rule) => z.looseObject({ ToPort: z.number() }).parse(rule).ToPort);
    expect(ports('Sandboxes without network')).toEqual([443]);
    expect(ports('Sandboxes whose policy opens the network')).toEqual([443, 80, 22]);
    const ingress = Object.values(propertiesOf(sandbox, 'AWS::EC2::SecurityGroupIngress'));
    expect(ingress.map(({ FromPort, ToPort, CidrIp }) => [FromPort, ToPort, CidrIp])).toEqual([
      [SANDBOX_TASK.port, SANDBOX_TASK.port, undefined],
      [SANDBOX_TASK.port, SANDBOX_TASK.port, undefined],
    ]);
  });
});

describe('who starts tasks', () => {
  const Policies = z.array(
    z.looseObject({ PolicyDocument: z.looseObject({ Statement: z.array(z.record(z.string(), z.unknown())) }) }),
  );
  const statements = Policies.parse(Object.values(propertiesOf(app, 'AWS::IAM::Policy'))).flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement,
  );
  const allowing = (action: string) => statements.filter(({ Action }) => [Action].flat().includes(action));

  test('may do so in our cluster, of our family, and pass its starting role to ECS alone', () => {
    expect(allowing('ecs:RunTask').length).toBeGreaterThan(2);
    for (const { Condition, Resource } of allowing('ecs:RunTask')) {
      expect(Condition).toMatchObject({ ArnEquals: { 'ecs:cluster': expect.anything() } });
      expect(JSON.stringify(Resource)).toMatch(/TaskDefinitionRevisions|task-definition\/hca-prod-sandbox:\*|Output/);
    }
    for (const { Condition } of allowing('iam:PassRole'))
      expect(Condition).toEqual({ StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } });
  });
});
