// Where tools run in the cloud: tasks of the public agent-server image in a network of their own and without any credentials, reached through a private
// route of an HTTP API (a load balancer would cost more than everything else that is idle); or an agent-server that is there already.
import { CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { prefixOf } from './constructs/names.ts';
import { SandboxDoor } from './constructs/sandbox-door.ts';
import { SandboxNetwork } from './constructs/sandbox-network.ts';
import { SandboxTasks } from './constructs/sandbox-tasks.ts';
import type { Environment, SandboxPlace } from './environments.ts';
import { because } from './reasons.ts';

export interface SandboxStackProps extends StackProps {
  environment: Environment;
}

/** Address of the agent-server and the secret with the key to it. */
export class SandboxStack extends Stack {
  readonly url: string;
  readonly secretName: string;
  readonly secretArn: string;

  constructor(scope: Construct, id: string, { environment, ...props }: SandboxStackProps) {
    super(scope, id, props);
    Tags.of(this).add('hca:part', 'sandbox');
    const { sandbox } = environment;
    const secret = secretOf(this, environment);
    this.secretName = secret.secretName;
    this.secretArn = secret.secretArn;
    this.url = sandbox.kind === 'endpoint' ? sandbox.url : started(this, { environment, sandbox, secret });
    new CfnOutput(this, 'SandboxUrl', { value: this.url });
    new CfnOutput(this, 'SandboxSecret', { value: this.secretName });
  }
}

const secretOf = (scope: Construct, { name, sandbox }: Environment): ISecret => {
  if (sandbox.kind === 'endpoint') return Secret.fromSecretNameV2(scope, 'Key', sandbox.secret);
  const secret = new Secret(scope, 'Key', {
    secretName: `${prefixOf(name)}-sandbox-key`,
    description: 'What our functions show to the agent-server, and nobody else knows',
    generateSecretString: { passwordLength: 48, excludePunctuation: true },
  });
  because(secret, {
    'AwsSolutions-SMG4':
      'A new key needs new tasks: deploying makes both at once, a rotation alone would lock the functions out.',
  });
  return secret;
};

type Fargate = Extract<SandboxPlace, { kind: 'fargate' }>;

const started = (scope: Construct, props: { environment: Environment; sandbox: Fargate; secret: ISecret }): string => {
  const network = new SandboxNetwork(scope, 'Network', props.environment);
  const tasks = new SandboxTasks(scope, 'Tasks', { ...props, network });
  return new SandboxDoor(scope, 'Door', { environment: props.environment, network, tasks }).url;
};
