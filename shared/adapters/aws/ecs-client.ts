// The client of ECS, in a file of its own: who loads it late names it here, and the bundler leaves out the operations that nobody calls.
import { ECSClient, type ECSClientConfig } from '@aws-sdk/client-ecs';

export const ecsClient = (config: ECSClientConfig): ECSClient => new ECSClient(config);
