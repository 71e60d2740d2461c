// A function of the cloud host from its row of the register: code, environment, grants, log, limits. Nothing about it is written twice
// (architecture section 4).
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Function as LambdaFunction, LoggingFormat, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { accessOf } from '#shared/contracts/access.ts';
import type { Environment } from '../environments.ts';
import { invokesByMachine, timeoutOf } from '../machine-files.ts';
import { prefixOf } from '../prefix.ts';
import { grantAround, grantRow } from './granting.ts';
import type { CodeName, House } from './house.ts';
import { variablesFor } from './variables.ts';

/** MB. A step waits for stores; more memory would only make the import faster, which is 60 ms. */
const MEMORY = 512;
/** A door answers within API Gateway's 30 s; what pushes and what is called by the bus has a minute. */
const DOOR_SECONDS = 29;

/** A function and the role that is its alone. */
export class StepFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly role: Role;

  constructor(scope: Construct, name: CodeName, house: House) {
    super(scope, name);
    const { environment } = house;
    const functionName = `${prefixOf(environment.name)}-${name}`;
    const inNetwork = house.sandbox.network !== null && talksToSandbox(name);
    const logGroup = logGroupOf(this, functionName, environment);
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `What ${name} may do in ${environment.name}: its row of the register`,
    });
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: house.code(name),
      role: this.role,
      memorySize: MEMORY,
      timeout: Duration.seconds(secondsOf(name)),
      tracing: Tracing.ACTIVE,
      loggingFormat: LoggingFormat.JSON,
      logGroup,
      environment: { ...variablesFor(this, name, house), ...watched(name, environment) },
      ...reserved(name, environment),
      ...(inNetwork ? networkOf(house) : {}),
      ...(invokesByMachine(name) ? {} : { onFailure: new SqsDestination(house.letters), retryAttempts: 2 }),
    });
    grantRow(this.role, name, house);
    grantAround(this.role, logGroup, inNetwork);
  }
}

const secondsOf = (name: CodeName): number => {
  if (name === 'acp' || name === 'authorize') return DOOR_SECONDS;
  return timeoutOf(name);
};

const reserved = (name: CodeName, { concurrency }: Environment) => {
  const most = name === 'authorize' ? undefined : concurrency[name];
  return most === undefined ? {} : { reservedConcurrentExecutions: most };
};

/** Who talks to tasks of ours is in their network. */
const networkOf = ({ sandbox: { network } }: House) => {
  if (network === null) return {};
  return { vpc: network.vpc, vpcSubnets: { subnets: network.places.subnets }, securityGroups: [network.functions] };
};

const talksToSandbox = (name: CodeName): boolean =>
  name !== 'authorize' && ['sandbox', 'pool'].some((port) => port in accessOf(name));

/** Below a machine's Retry the SDK tries once: one owner of retries (pitfall 21). Where nobody repeats, it does. */
const watched = (name: CodeName, environment: Environment): Record<string, string> => ({
  AWS_MAX_ATTEMPTS: invokesByMachine(name) ? '1' : '3',
  NODE_OPTIONS: '--enable-source-maps',
  POWERTOOLS_SERVICE_NAME: name,
  POWERTOOLS_METRICS_NAMESPACE: prefixOf(environment.name),
  POWERTOOLS_LOG_LEVEL: 'INFO',
});

const logGroupOf = (scope: Construct, functionName: string, { retention }: Environment): LogGroup =>
  new LogGroup(scope, 'Log', {
    logGroupName: `/aws/lambda/${functionName}`,
    retention: retention.logs,
    removalPolicy: RemovalPolicy.DESTROY,
  });
