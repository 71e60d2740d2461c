// The tasks: the public image of the agent-server, pinned, under a role that may do nothing, with the key it wakes with as the only thing it is told.
// Functions start one for each session; nothing runs until then.
import { RemovalPolicy } from 'aws-cdk-lib';
import {
  Cluster,
  ContainerImage,
  ContainerInsights,
  CpuArchitecture,
  FargateTaskDefinition,
  LogDrivers,
  OperatingSystemFamily,
  Secret,
} from 'aws-cdk-lib/aws-ecs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Environment, SandboxPlace } from '../environments.ts';
import { because } from '../reasons.ts';
import { clusterNameOf, prefixOf } from './names.ts';
import { PORT, type SandboxNetwork } from './sandbox-network.ts';

/** The release whose REST contract the client and the adapter are made for. */
const IMAGE = 'ghcr.io/openhands/agent-server:1.44.0-python';

export interface SandboxTasksProps {
  environment: Environment;
  place: Extract<SandboxPlace, { kind: 'fargate' }>;
  secret: ISecret;
  network: SandboxNetwork;
}

export class SandboxTasks extends Construct {
  readonly cluster: Cluster;
  readonly definition: FargateTaskDefinition;

  constructor(scope: Construct, id: string, props: SandboxTasksProps) {
    super(scope, id);
    this.cluster = new Cluster(this, 'Cluster', {
      clusterName: clusterNameOf(props.environment.name),
      vpc: props.network.vpc,
      containerInsightsV2: ContainerInsights.ENABLED,
    });
    this.definition = definitionOf(this, props);
  }
}

const definitionOf = (scope: Construct, { environment, place, secret }: SandboxTasksProps): FargateTaskDefinition => {
  const name = prefixOf(environment.name);
  const definition = new FargateTaskDefinition(scope, 'Definition', {
    family: `${name}-sandbox`,
    cpu: place.cpu,
    memoryLimitMiB: place.memory_mb,
    runtimePlatform: { cpuArchitecture: CpuArchitecture.X86_64, operatingSystemFamily: OperatingSystemFamily.LINUX },
  });
  const logGroup = new LogGroup(scope, 'Log', {
    logGroupName: `/aws/ecs/${name}-sandbox`,
    retention: environment.retention.logs,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  definition.addContainer('agent-server', {
    image: ContainerImage.fromRegistry(IMAGE),
    portMappings: [{ containerPort: PORT }],
    environment: { OH_DEFERRED_INIT: 'true' },
    secrets: { OH_INIT_API_KEY: Secret.fromSecretsManager(secret) },
    logging: LogDrivers.awsLogs({ streamPrefix: 'sandbox', logGroup }),
  });
  because(definition, {
    'AwsSolutions-ECS2':
      'That a task starts asleep is no secret and never changes; its key comes from Secrets Manager.',
  });
  return definition;
};
