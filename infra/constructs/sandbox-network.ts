// The network of the sandboxes. Nothing comes in but from our functions. What goes out is HTTPS alone, which a task needs for its image and which the
// evidence of its commands therefore calls open, or whatever the policy of a session opens.
import { RemovalPolicy } from 'aws-cdk-lib';
import {
  FlowLogDestination,
  GatewayVpcEndpointAwsService,
  type IVpc,
  Peer,
  Port,
  SecurityGroup,
  type SelectedSubnets,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { SANDBOX_TASK } from '#shared/contracts/sandbox-task.ts';
import type { Environment } from '../environments.ts';
import { prefixOf } from '../prefix.ts';

export class SandboxNetwork extends Construct {
  readonly vpc: IVpc;
  /** Of functions that talk to sandboxes. */
  readonly functions: SecurityGroup;
  /** Of tasks whose sessions have no network, and of those that policy opens it for. */
  readonly shut: SecurityGroup;
  readonly open: SecurityGroup;
  /** Where tasks are started, and functions that talk to them. */
  readonly places: SelectedSubnets;

  constructor(scope: Construct, id: string, environment: Environment) {
    super(scope, id);
    this.vpc =
      environment.vpc === null ? ownVpc(this, environment) : Vpc.fromLookup(this, 'Vpc', { vpcId: environment.vpc });
    const { vpc } = this;
    this.places = vpc.selectSubnets({ subnetType: SubnetType.PRIVATE_WITH_EGRESS });
    this.functions = new SecurityGroup(this, 'Functions', { vpc, description: 'Functions that talk to sandboxes' });
    const group = (name: string, description: string): SecurityGroup => {
      const made = new SecurityGroup(this, name, { vpc, description, allowAllOutbound: false });
      made.addIngressRule(this.functions, Port.tcp(SANDBOX_TASK.port), 'from our functions');
      made.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'the image, and packages over HTTPS');
      return made;
    };
    this.shut = group('Tasks', 'Sandboxes without network');
    this.open = group('OpenTasks', 'Sandboxes whose policy opens the network');
    for (const port of [Port.tcp(80), Port.tcp(22)])
      this.open.addEgressRule(Peer.anyIpv4(), port, 'repositories and packages');
  }
}

/** Tasks and functions go out through one NAT gateway, which is what an idle sandbox costs (about 33 dollars a month). */
const ownVpc = (scope: Construct, { name, retention }: Environment): Vpc => {
  const vpc = new Vpc(scope, 'Vpc', {
    vpcName: `${prefixOf(name)}-sandbox`,
    maxAzs: 2,
    natGateways: 1,
    restrictDefaultSecurityGroup: false,
    gatewayEndpoints: {
      Tables: { service: GatewayVpcEndpointAwsService.DYNAMODB },
      Bytes: { service: GatewayVpcEndpointAwsService.S3 },
    },
    subnetConfiguration: [
      { name: 'out', subnetType: SubnetType.PUBLIC, mapPublicIpOnLaunch: false },
      { name: 'sandbox', subnetType: SubnetType.PRIVATE_WITH_EGRESS },
    ],
  });
  vpc.addFlowLog('Flow', {
    destination: FlowLogDestination.toCloudWatchLogs(
      new LogGroup(scope, 'FlowLog', {
        logGroupName: `/aws/vendedlogs/${prefixOf(name)}-sandbox-flow`,
        retention: retention.logs,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    ),
  });
  return vpc;
};
