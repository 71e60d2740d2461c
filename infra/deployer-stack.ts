// Who may deploy from a pipeline: a role that the workflows of one branch of one GitHub repository take by OpenID Connect, for one environment, without
// any key that could be lost. It may take the roles that `cdk bootstrap` made for that, look at our stacks, and nothing else.
import { ArnFormat, Aws, CfnOutput, Duration, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import { FederatedPrincipal, OpenIdConnectProvider, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Environment } from './environments.ts';
import { prefixOf } from './prefix.ts';
import { becauseEndless } from './reasons.ts';

const ISSUER = 'token.actions.githubusercontent.com';

/** Of the roles that `cdk bootstrap` makes, those that a deployment takes; that of CloudFormation is taken by CloudFormation, and we have no images. */
const TAKEN = ['deploy', 'file-publishing', 'lookup'] as const;

export interface DeployerStackProps extends StackProps {
  environment: Environment;
  from: NonNullable<Environment['deployer']>;
}

/** The GitHub environment that deploys has the same name as ours, so its reviewers decide. */
export class DeployerStack extends Stack {
  constructor(scope: Construct, id: string, { environment, from, ...props }: DeployerStackProps) {
    super(scope, id, props);
    Tags.of(this).add('hca:part', 'deployer');
    const role = new Role(this, 'Role', {
      roleName: `${prefixOf(environment.name)}-deployer`,
      description: `Deploys ${environment.name} from ${from.repository} ${from.ref}`,
      maxSessionDuration: Duration.hours(1),
      assumedBy: trusted(this, environment.name, from),
    });
    const taken = TAKEN.map((name) => this.#role(`cdk-hnb659fds-${name}-role-${Aws.ACCOUNT_ID}-${Aws.REGION}`));
    role.addToPolicy(new PolicyStatement({ actions: ['sts:AssumeRole'], resources: taken }));
    const stacks = [`${prefixOf(environment.name)}-*`, 'CDKToolkit/*'].map((resourceName) =>
      this.formatArn({ service: 'cloudformation', resource: 'stack', resourceName }),
    );
    role.addToPolicy(new PolicyStatement({ actions: ['cloudformation:DescribeStacks'], resources: stacks }));
    becauseEndless(role, stacks, 'the ARN of a stack ends with an id that it gets when it is made');
    new CfnOutput(this, 'DeployerRole', { value: role.roleArn });
  }

  #role(resourceName: string): string {
    return this.formatArn({ service: 'iam', region: '', resource: 'role', resourceName });
  }
}

/** The subject alone does not name the branch where it names an environment, so the branch is asked for beside it. */
const trusted = (
  stack: Stack,
  environment: string,
  { repository, ref }: DeployerStackProps['from'],
): FederatedPrincipal => {
  const known = { service: 'iam', region: '', resource: 'oidc-provider', arnFormat: ArnFormat.SLASH_RESOURCE_NAME };
  const arn = stack.formatArn({ ...known, resourceName: ISSUER });
  const { openIdConnectProviderArn } = OpenIdConnectProvider.fromOpenIdConnectProviderArn(stack, 'GitHub', arn);
  const claims = {
    [`${ISSUER}:aud`]: 'sts.amazonaws.com',
    [`${ISSUER}:sub`]: `repo:${repository}:environment:${environment}`,
    [`${ISSUER}:ref`]: ref,
  };
  return new FederatedPrincipal(openIdConnectProviderArn, { StringEquals: claims }, 'sts:AssumeRoleWithWebIdentity');
};
