// Who may deploy from a pipeline: a role that the workflows of one GitHub repository take by OpenID Connect, for one environment, without any key that could
// be lost. It may take the roles that `cdk bootstrap` made, look at stacks, and nothing else.
import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { FederatedPrincipal, OpenIdConnectProvider, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { prefixOf } from './constructs/names.ts';
import type { Environment } from './environments.ts';
import { becauseEndless } from './reasons.ts';

const ISSUER = 'token.actions.githubusercontent.com';

export interface DeployerStackProps extends StackProps {
  environment: Environment;
  /** `owner/name`. */
  repository: string;
}

/** The GitHub environment that deploys has the same name as ours, so its reviewers decide. */
export class DeployerStack extends Stack {
  constructor(scope: Construct, id: string, { environment, repository, ...props }: DeployerStackProps) {
    super(scope, id, props);
    const provider = OpenIdConnectProvider.fromOpenIdConnectProviderArn(
      this,
      'GitHub',
      this.formatArn({ service: 'iam', region: '', resource: 'oidc-provider', resourceName: ISSUER }),
    );
    const role = new Role(this, 'Role', {
      roleName: `${prefixOf(environment.name)}-deployer`,
      description: `Deploys ${environment.name} from ${repository}`,
      maxSessionDuration: Duration.hours(1),
      assumedBy: new FederatedPrincipal(
        provider.openIdConnectProviderArn,
        {
          StringEquals: {
            [`${ISSUER}:aud`]: 'sts.amazonaws.com',
            [`${ISSUER}:sub`]: `repo:${repository}:environment:${environment.name}`,
          },
        },
        'sts:AssumeRoleWithWebIdentity',
      ),
    });
    const bootstrapped = this.formatArn({
      service: 'iam',
      region: '',
      resource: 'role',
      resourceName: 'cdk-hnb659fds-*',
    });
    const stacks = this.formatArn({
      service: 'cloudformation',
      resource: 'stack',
      resourceName: `${prefixOf(environment.name)}-*`,
    });
    const toolkit = this.formatArn({ service: 'cloudformation', resource: 'stack', resourceName: 'CDKToolkit/*' });
    role.addToPolicy(new PolicyStatement({ actions: ['sts:AssumeRole'], resources: [bootstrapped] }));
    role.addToPolicy(new PolicyStatement({ actions: ['cloudformation:DescribeStacks'], resources: [stacks, toolkit] }));
    becauseEndless(role, [bootstrapped], 'cdk bootstrap makes five roles whose names end with account and region');
    becauseEndless(role, [stacks, toolkit], 'the ARN of a stack ends with an id that it gets when it is made');
    new CfnOutput(this, 'DeployerRole', { value: role.roleArn });
  }
}
