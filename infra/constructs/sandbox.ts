// Where tools run, as functions are told it.
import type { ICluster, TaskDefinition } from 'aws-cdk-lib/aws-ecs';
import type { SandboxNetwork } from './sandbox-network.ts';

/** `network` and `tasks`: null where an agent-server is there already, that is reached from anywhere. */
export interface Sandbox {
  secretArn: string;
  network: SandboxNetwork | null;
  tasks: { cluster: ICluster; definition: TaskDefinition } | null;
  variables: Readonly<Record<string, string>>;
}
