// Where tools run, as functions are told it.
import type { ICluster } from 'aws-cdk-lib/aws-ecs';
import type { SandboxNetwork } from './sandbox-network.ts';

/** What a task is started from: its ARN, the ARN of all its revisions, and the role with which ECS starts it. */
export interface SandboxDefinition {
  arn: string;
  revisions: string;
  starter: string;
}

/** `network` and `tasks`: null where an agent-server is there already, that is reached from anywhere. */
export interface Sandbox {
  secretArn: string;
  network: SandboxNetwork | null;
  tasks: { cluster: ICluster; definition: SandboxDefinition } | null;
  variables: Readonly<Record<string, string>>;
}
