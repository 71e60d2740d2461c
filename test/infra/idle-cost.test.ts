// What a deployment costs while nobody uses it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { idleCost, idleLine } from '#scripts/cloud/idle-cost.ts';
import { templatesOf } from '#test/support/synth.ts';

const NAT = { Resources: { Nat: { Type: 'AWS::EC2::NatGateway' } } };

test('an idle house has a price: what is paid for by the hour, of an endpoint in each subnet', () => {
  const rows = idleCost([
    {
      Resources: {
        ...NAT.Resources,
        Free: { Type: 'AWS::EC2::VPCEndpoint', Properties: { VpcEndpointType: 'Gateway' } },
        Paid: { Type: 'AWS::EC2::VPCEndpoint', Properties: { VpcEndpointType: 'Interface', SubnetIds: ['a', 'b'] } },
        Table: { Type: 'AWS::DynamoDB::Table', Properties: { BillingMode: 'PAY_PER_REQUEST' } },
      },
    },
  ]);
  expect(rows).toEqual([
    { type: 'AWS::EC2::NatGateway', count: 1, usd: 0.045 * 730 },
    { type: 'AWS::EC2::VPCEndpoint', count: 2, usd: 2 * 0.01 * 730 },
  ]);
});

test('a sandbox that production keeps warm runs all month, and where none is kept it costs nothing', () => {
  const rows = (name: string) => {
    const { sandbox, app } = templatesOf(name);
    return idleCost([sandbox.toJSON(), app.toJSON()]).filter(({ type }) => type === 'AWS::ECS::TaskDefinition');
  };
  expect(rows('prod')).toEqual([
    { type: 'AWS::ECS::TaskDefinition', count: 1, usd: expect.closeTo((0.04048 + 4 * 0.004445) * 730) },
  ]);
  expect(rows('dev')).toEqual([]);
});

test('is told of what is deployed, not of what another environment left in the folder', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hca-idle-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (file: string, value: unknown) => writeFileSync(path.join(folder, file), JSON.stringify(value));
  write('hca-dev-sandbox.template.json', NAT);
  write('hca-prod-sandbox.template.json', NAT);
  const artifacts = { 'hca-prod-sandbox': { properties: { templateFile: 'hca-prod-sandbox.template.json' } } };
  write('manifest.json', { version: '1', artifacts: { ...artifacts, Tree: {} } });
  expect(idleLine(folder)).toMatch(/^Idle: about \$33\.\d\d a month \(1 NatGateway \$32\.85, looks/);
});
