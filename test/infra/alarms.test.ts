// Every alarm names a section of the runbook that is there, and every section about a deployment has its alarm.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { propertiesOf, templatesOf } from '#test/support/synth.ts';
import { anchorOf } from '../../infra/constructs/watching.ts';

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

  test('silence is no alarm', () => {
    expect(alarms.filter(({ TreatMissingData }) => TreatMissingData !== 'notBreaching')).toEqual([]);
  });

  test('there is a dashboard by the name of the environment', () => {
    app.hasResourceProperties('AWS::CloudWatch::Dashboard', { DashboardName: 'hca-prod' });
  });
});
