// The tasks: the public image of the agent-server, pinned, without any role, asleep until one of our functions wakes it with a key that only that task
// was told. Functions start one for each session; nothing runs until then.
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnTaskDefinition, Cluster, ContainerInsights } from 'aws-cdk-lib/aws-ecs';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { SANDBOX_TASK } from '#shared/contracts/sandbox-task.ts';
import type { Environment, SandboxPlace } from '../environments.ts';
import { prefixOf } from '../prefix.ts';
import { because } from '../reasons.ts';
import { clusterNameOf } from './names.ts';
import type { SandboxDefinition } from './sandbox.ts';
import type { SandboxNetwork } from './sandbox-network.ts';

/** The release whose REST contract the client and the adapter are made for, and tested against. */
const IMAGE = 'ghcr.io/openhands/agent-server:1.44.1-python';

/** Without a key a server listens on its own machine alone; one that sleeps has none yet. */
const COMMAND = ['--host', '0.0.0.0', '--port', String(SANDBOX_TASK.port)];

/** It sleeps; nothing of an agent is needed; and it asks nobody for the prices of models when it starts. */
const VARIABLES_OF_TASK = {
  OH_DEFERRED_INIT: 'true',
  OH_ENABLE_VSCODE: 'false',
  OH_PRELOAD_TOOLS: 'false',
  LITELLM_LOCAL_MODEL_COST_MAP: 'True',
} as const;

export interface SandboxTasksProps {
  environment: Environment;
  place: Extract<SandboxPlace, { kind: 'fargate' }>;
  network: SandboxNetwork;
}

export class SandboxTasks extends Construct {
  readonly cluster: Cluster;
  readonly definition: SandboxDefinition;

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

/** A task has no role of its own, so there are no credentials in it: ECS itself fetches the image and writes the log. */
const definitionOf = (scope: Construct, { environment, place }: SandboxTasksProps): SandboxDefinition => {
  const name = prefixOf(environment.name);
  const logGroup = new LogGroup(scope, 'Log', {
    logGroupName: `/aws/ecs/${name}-sandbox`,
    retention: environment.retention.logs,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const starter = new Role(scope, 'Starter', {
    description: 'With which ECS starts sandboxes; what runs in them does not have it',
    assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com'),
  });
  logGroup.grantWrite(starter);
  const family = `${name}-sandbox`;
  const definition = new CfnTaskDefinition(scope, 'Definition', {
    family,
    cpu: String(place.cpu),
    memory: String(place.memory_mb),
    networkMode: 'awsvpc',
    requiresCompatibilities: ['FARGATE'],
    runtimePlatform: { cpuArchitecture: 'X86_64', operatingSystemFamily: 'LINUX' },
    executionRoleArn: starter.roleArn,
    containerDefinitions: [containerOf(scope, logGroup)],
  });
  because(definition, {
    'AwsSolutions-ECS2': 'How a task starts is no secret and never changes; the key it wakes with is told to it alone.',
  });
  const everyRevision = Stack.of(scope).formatArn({
    service: 'ecs',
    resource: 'task-definition',
    resourceName: family,
  });
  return { arn: definition.attrTaskDefinitionArn, revisions: `${everyRevision}:*`, starter: starter.roleArn };
};

const containerOf = (scope: Construct, logGroup: LogGroup): CfnTaskDefinition.ContainerDefinitionProperty => ({
  name: SANDBOX_TASK.container,
  image: IMAGE,
  command: COMMAND,
  essential: true,
  portMappings: [{ containerPort: SANDBOX_TASK.port, protocol: 'tcp' }],
  environment: Object.entries(VARIABLES_OF_TASK).map(([name, value]) => ({ name, value })),
  logConfiguration: {
    logDriver: 'awslogs',
    options: {
      'awslogs-group': logGroup.logGroupName,
      'awslogs-region': Stack.of(scope).region,
      'awslogs-stream-prefix': 'sandbox',
    },
  },
});
