// The network of the sandboxes: nothing comes in but from the private route, and what goes out is HTTPS and names, no more.
import { RemovalPolicy } from 'aws-cdk-lib';
import { FlowLogDestination, type IVpc, Peer, Port, SecurityGroup, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { prefixOf } from './names.ts';

/** Where an agent-server listens. */
export const PORT = 8000;

export class SandboxNetwork extends Construct {
  readonly vpc: IVpc;
  /** Of the private route: the only one that may reach a task. */
  readonly link: SecurityGroup;
  readonly tasks: SecurityGroup;

  constructor(scope: Construct, id: string, environment: Environment) {
    super(scope, id);
    this.vpc =
      environment.vpc === null ? ownVpc(this, environment) : Vpc.fromLookup(this, 'Vpc', { vpcId: environment.vpc });
    const { vpc } = this;
    this.link = new SecurityGroup(this, 'Link', {
      vpc,
      description: 'Private route to sandboxes',
      allowAllOutbound: false,
    });
    this.tasks = new SecurityGroup(this, 'Tasks', { vpc, description: 'Sandboxes', allowAllOutbound: false });
    this.link.addEgressRule(this.tasks, Port.tcp(PORT), 'to sandboxes');
    this.tasks.addIngressRule(this.link, Port.tcp(PORT), 'from the private route');
    this.tasks.addEgressRule(
      Peer.anyIpv4(),
      Port.tcp(443),
      'packages and repositories over HTTPS; a session without network has none',
    );
  }
}

/** Public subnets without a NAT gateway, which would cost 33 dollars a month: tasks have an address to fetch their image, and no way in. */
const ownVpc = (scope: Construct, { name, retention }: Environment): Vpc => {
  const vpc = new Vpc(scope, 'Vpc', {
    vpcName: `${prefixOf(name)}-sandbox`,
    maxAzs: 2,
    natGateways: 0,
    restrictDefaultSecurityGroup: false,
    subnetConfiguration: [{ name: 'sandbox', subnetType: SubnetType.PUBLIC, mapPublicIpOnLaunch: false }],
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
