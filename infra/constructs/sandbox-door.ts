// The private route to the sandboxes: an HTTP API over a link into their network. Who knows no key of theirs gets nothing from them.

import { RemovalPolicy } from 'aws-cdk-lib';
import { HttpApi, HttpMethod, HttpStage, LogGroupLogDestination, VpcLink } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpServiceDiscoveryIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { SubnetType } from 'aws-cdk-lib/aws-ec2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { because } from '../reasons.ts';
import { prefixOf } from './names.ts';
import type { SandboxNetwork } from './sandbox-network.ts';
import type { SandboxTasks } from './sandbox-tasks.ts';

export interface SandboxDoorProps {
  environment: Environment;
  network: SandboxNetwork;
  tasks: SandboxTasks;
}

export class SandboxDoor extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, { environment, network, tasks }: SandboxDoorProps) {
    super(scope, id);
    const { quotas, retention, name } = environment;
    const vpcLink = new VpcLink(this, 'Link', {
      vpcLinkName: `${prefixOf(name)}-sandbox`,
      vpc: network.vpc,
      subnets: { subnetType: SubnetType.PUBLIC },
      securityGroups: [network.link],
    });
    const api = new HttpApi(this, 'Api', { apiName: `${prefixOf(name)}-sandbox`, createDefaultStage: false });
    api.addRoutes({
      path: '/{proxy+}',
      methods: [HttpMethod.ANY],
      integration: new HttpServiceDiscoveryIntegration('Tasks', tasks.discovery, { vpcLink }),
    });
    because(api, {
      'AwsSolutions-APIG4':
        'The agent-server asks for its own key on every path below /api; only our functions can read it.',
    });
    const stage = new HttpStage(this, 'Stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: quotas.rate * 10, burstLimit: quotas.burst * 10 },
      accessLogSettings: {
        destination: new LogGroupLogDestination(
          new LogGroup(this, 'Log', {
            logGroupName: `/aws/vendedlogs/${prefixOf(name)}-sandbox-http`,
            retention: retention.logs,
            removalPolicy: RemovalPolicy.DESTROY,
          }),
        ),
      },
    });
    this.url = stage.url;
  }
}
