// Every alarm names a section of the runbook that is there, and every section about a deployment has its alarm.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { propertiesOf, templatesOf } from '#test/support/synth.ts';
import { anchorOf } from '../../infra/constructs/watching.ts';
import { PHASES } from '../../infra/constructs/widgets.ts';

const { app } = templatesOf('prod');
const alarms = Object.values(propertiesOf(app, 'AWS::CloudWatch::Alarm'));
const [, cloud = ''] = readFileSync('docs/runbook.md', 'utf8').split('# Runbook of a deployment');
const sections = [...cloud.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);

describe('alarms', () => {
  test('and sections of the runbook, one for one', () => {
    const named = alarms.map(
      ({ AlarmDescription }) => /docs\/runbook\.md#([a-z-]+)$/.exec(String(AlarmDescription))?.[1],
    );
    expect(named.sort()).toEqual(sections.map(anchorOf).sort());
    expect(sections.length).toBeGreaterThan(5);
  });

  test('a section names its alarm', () => {
    for (const { AlarmName } of alarms)
      expect(cloud).toContain(`alarm \`${String(AlarmName).replace('hca-prod-', '')}\``);
  });

  test('the one of dead letters looks at the queue in which everything that failed lies', () => {
    const [queue, ...others] = Object.keys(app.findResources('AWS::SQS::Queue'));
    expect(others).toEqual([]);
    const letters = alarms.find(({ AlarmName }) => AlarmName === 'hca-prod-dead-letters');
    const Value = { 'Fn::GetAtt': [queue, 'QueueName'] };
    expect(letters).toMatchObject({
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Threshold: 0,
      Dimensions: [{ Name: 'QueueName', Value }],
    });
    const kept = ['AWS::Events::Rule', 'AWS::Lambda::EventInvokeConfig', 'AWS::Lambda::EventSourceMapping'].map(
      (type) => JSON.stringify(propertiesOf(app, type)).match(/"Fn::GetAtt":\["[^"]*Letters[^"]*"/g)?.length,
    );
    expect(kept).toEqual([expect.toSatisfy((count) => count > 10), expect.toSatisfy((count) => count > 3), 1]);
  });

  test('may tell the address that they are sent to: the topic takes what alarms of this account publish', () => {
    const told = templatesOf('prod', { alarm_address: 'ops@example.com' }).app;
    const [topic] = Object.keys(told.findResources('AWS::SNS::Topic'));
    const [{ PolicyDocument } = {}] = Object.values(propertiesOf(told, 'AWS::SNS::TopicPolicy'));
    expect(PolicyDocument).toMatchObject({
      Statement: [
        { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
        {
          Effect: 'Allow',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Action: 'sns:Publish',
          Resource: { Ref: topic },
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        },
      ],
    });
  });

  test('silence is no alarm', () => {
    expect(alarms.filter(({ TreatMissingData }) => TreatMissingData !== 'notBreaching')).toEqual([]);
  });

  test('the dashboard has every function, in the phase of the loop that it is for', () => {
    const functions = Object.values(propertiesOf(app, 'AWS::Lambda::Function')).map(({ FunctionName }) =>
      String(FunctionName).replace('hca-prod-', ''),
    );
    expect(Object.values(PHASES).flat().sort()).toEqual(functions.sort());
    const [board] = Object.values(propertiesOf(app, 'AWS::CloudWatch::Dashboard'));
    const titles = [...JSON.stringify(board?.DashboardBody).matchAll(/title\\+":\\+"([^\\]+)/g)].map(
      (found) => found[1],
    );
    for (const phase of Object.keys(PHASES))
      expect(titles).toEqual(
        expect.arrayContaining([`${phase}: invocations`, `${phase}: errors`, `${phase}: time, p95`]),
      );
  });

  test('there is a dashboard by the name of the environment', () => {
    app.hasResourceProperties('AWS::CloudWatch::Dashboard', { DashboardName: 'hca-prod' });
  });
});
