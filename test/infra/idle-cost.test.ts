// What a deployment costs while nobody uses it.
import { expect, test } from 'vitest';
import { idleCost } from '#scripts/cloud/idle-cost.ts';

test('an idle house has a price: what is paid for by the hour, of an endpoint in each subnet', () => {
  const rows = idleCost([
    {
      Resources: {
        Nat: { Type: 'AWS::EC2::NatGateway' },
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
