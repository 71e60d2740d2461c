// The tasks: the public image of the agent-server, pinned, under a role that may do nothing, with the key as the only thing it is told.
import { RemovalPolicy } from 'aws-cdk-lib';
import { SubnetType } from 'aws-cdk-lib/aws-ec2';
import {
  Cluster,
  ContainerImage,
  ContainerInsights,
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  LogDrivers,
  OperatingSystemFamily,
  PropagatedTagSource,
  Secret,
} from 'aws-cdk-lib/aws-ecs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { DnsRecordType, type IService, PrivateDnsNamespace } from 'aws-cdk-lib/aws-servicediscovery';
import { Construct } from 'constructs';
import type { Environment, SandboxPlace } from '../environments.ts';
import { prefixOf } from './names.ts';
import { PORT, type SandboxNetwork } from './sandbox-network.ts';

/** The release whose REST contract the client and the adapter are made for. */
const IMAGE = 'ghcr.io/openhands/agent-server:1.44.0-python';

export interface SandboxTasksProps {
  environment: Environment;
  sandbox: Extract<SandboxPlace, { kind: 'fargate' }>;
  secret: ISecret;
  network: SandboxNetwork;
}

export class SandboxTasks extends Construct {
  /** How a private route finds the tasks. */
  readonly discovery: IService;

  constructor(scope: Construct, id: string, props: SandboxTasksProps) {
    super(scope, id);
    const { environment, sandbox, network } = props;
    const prefix = prefixOf(environment.name);
    const cluster = new Cluster(this, 'Cluster', {
      clusterName: `${prefix}-sandbox`,
      vpc: network.vpc,
      containerInsightsV2: ContainerInsights.ENABLED,
    });
    const namespace = new PrivateDnsNamespace(this, 'Namespace', { name: `${prefix}.sandbox`, vpc: network.vpc });
    const service = new FargateService(this, 'Service', {
      cluster,
      taskDefinition: definitionOf(this, props),
      desiredCount: sandbox.warm,
      minHealthyPercent: 0,
      maxHealthyPercent: 100,
      securityGroups: [network.tasks],
      vpcSubnets: { subnetType: SubnetType.PUBLIC },
      assignPublicIp: true,
      propagateTags: PropagatedTagSource.SERVICE,
      enableECSManagedTags: true,
    });
    this.discovery = service.enableCloudMap({
      cloudMapNamespace: namespace,
      name: `${prefix}-agent-server`,
      dnsRecordType: DnsRecordType.SRV,
      containerPort: PORT,
    });
  }
}

const definitionOf = (scope: Construct, { environment, sandbox, secret }: SandboxTasksProps): FargateTaskDefinition => {
  const definition = new FargateTaskDefinition(scope, 'Definition', {
    family: `${prefixOf(environment.name)}-sandbox`,
    cpu: sandbox.cpu,
    memoryLimitMiB: sandbox.memory_mb,
    runtimePlatform: {
      cpuArchitecture: CpuArchitecture.X86_64,
      operatingSystemFamily: OperatingSystemFamily.LINUX,
    },
  });
  definition.addContainer('agent-server', {
    image: ContainerImage.fromRegistry(IMAGE),
    portMappings: [{ containerPort: PORT }],
    secrets: { OH_SESSION_API_KEYS_0: Secret.fromSecretsManager(secret) },
    logging: LogDrivers.awsLogs({
      streamPrefix: 'sandbox',
      logGroup: new LogGroup(scope, 'Log', {
        logGroupName: `/aws/ecs/${prefixOf(environment.name)}-sandbox`,
        retention: environment.retention.logs,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    }),
  });
  return definition;
};
