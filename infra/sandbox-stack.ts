// Where tools run in the cloud: a task of the public agent-server image for each session, in a network of their own and without any credentials
// (architecture section 9). Not deployed where an agent-server is there already.
import { CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { VARIABLES } from '#shared/contracts/storage.ts';
import type { Sandbox } from './constructs/sandbox.ts';
import { SandboxNetwork } from './constructs/sandbox-network.ts';
import { SandboxTasks } from './constructs/sandbox-tasks.ts';
import type { Environment, SandboxPlace } from './environments.ts';
import { prefixOf } from './prefix.ts';
import { because } from './reasons.ts';

export interface SandboxStackProps extends StackProps {
  environment: Environment;
  place: Extract<SandboxPlace, { kind: 'fargate' }>;
}

/** Network, cluster and task definition, and the secret with which tasks wake. */
export class SandboxStack extends Stack {
  readonly sandbox: Sandbox;

  constructor(scope: Construct, id: string, { environment, place, ...props }: SandboxStackProps) {
    super(scope, id, props);
    Tags.of(this).add('hca:part', 'sandbox');
    const secret = new Secret(this, 'Key', {
      secretName: sandboxKeyOf(environment.name),
      description: 'Of which our functions make the keys of sandboxes; no sandbox is told it',
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
    });
    because(secret, {
      'AwsSolutions-SMG4':
        'A new key needs new tasks: a rotation would lock the functions out of every session at work.',
    });
    const network = new SandboxNetwork(this, 'Network', environment);
    const { cluster, definition } = new SandboxTasks(this, 'Tasks', { environment, place, network });
    this.sandbox = {
      secretArn: secret.secretArn,
      network,
      tasks: { cluster, definition },
      variables: {
        [VARIABLES.sandboxSecret]: secret.secretName,
        [VARIABLES.sandboxCluster]: cluster.clusterName,
        [VARIABLES.sandboxTask]: definition.arn,
        [VARIABLES.sandboxSubnets]: network.places.subnetIds.join(','),
        [VARIABLES.sandboxGroup]: network.shut.securityGroupId,
        [VARIABLES.sandboxGroupOpen]: network.open.securityGroupId,
        [VARIABLES.sandboxWarm]: String(place.warm),
      },
    };
    new CfnOutput(this, 'SandboxCluster', { value: cluster.clusterName });
    new CfnOutput(this, 'SandboxSecret', { value: secret.secretName });
  }
}

/** Name of the secret with the key of an environment's sandboxes. */
export const sandboxKeyOf = (environment: string): string => `${prefixOf(environment)}-sandbox-key`;
