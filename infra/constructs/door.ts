// The northbound door: an HTTP API for one frame and its answer, a WebSocket API for conversations, the same function behind both, an authorizer in
// front and a limit on requests (requirements section 7). API Gateway answers within 30 s; a frame is 32 KB at most.
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  ApiMapping,
  DomainName,
  HttpApi,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpStage,
  LogGroupLogDestination,
  WebSocketApi,
  WebSocketStage,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration, WebSocketLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { VARIABLES } from '#shared/contracts/storage.ts';
import type { Environment } from '../environments.ts';
import { prefixOf } from '../prefix.ts';
import { because, becauseEndless } from '../reasons.ts';
import { authorizersOf } from './authorizers.ts';
import { ENDLESS } from './grants.ts';
import type { StepFunction } from './step-function.ts';

export interface DoorProps {
  environment: Environment;
  acp: StepFunction;
  stream: StepFunction;
  /** Checks tokens where an issuer is configured; null with IAM. */
  authorize: StepFunction | null;
}

/** A name in DNS is an alias of this, or a CNAME; the zone is API Gateway's, as an alias in Route 53 asks for it. */
export interface DnsTarget {
  target: string;
  zone: string;
}

/** Name of the stage of the WebSocket API; part of its address. */
const STAGE = 'live';

/** Both APIs and their addresses. */
export class Door extends Construct {
  readonly http: HttpApi;
  readonly sockets: WebSocketApi;
  readonly urls: { rpc: string; acp: string };
  /** Where the names of a domain of one's own have to point; null without one. */
  readonly dns: { rpc: DnsTarget; acp: DnsTarget } | null;

  constructor(scope: Construct, id: string, props: DoorProps) {
    super(scope, id);
    const { environment, acp } = props;
    const authorizers = authorizersOf(props.authorize);
    this.http = new HttpApi(this, 'Http', { apiName: `${prefixOf(environment.name)}-http`, createDefaultStage: false });
    this.http.addRoutes({
      path: '/rpc',
      methods: [HttpMethod.POST],
      integration: new HttpLambdaIntegration('Rpc', acp.lambda),
      authorizer: authorizers.http,
    });
    if (props.authorize !== null) describes(this.http, acp);
    const httpStage = httpStageOf(this, this.http, environment);
    this.sockets = socketsOf(this, props, authorizers);
    const socketStage = new WebSocketStage(this, 'SocketStage', {
      webSocketApi: this.sockets,
      stageName: STAGE,
      autoDeploy: true,
      throttle: throttleOf(environment),
    });
    because(socketStage, {
      'AwsSolutions-APIG1':
        'Access logs of a WebSocket API need a role set for the whole account, which one stack must not change; the function logs every frame it is given.',
    });
    for (const pusher of [acp, props.stream]) mayPush(pusher, this.sockets, socketStage);
    const own = environment.domain;
    this.dns = own === null ? null : named(this, own, { http: httpStage, sockets: socketStage });
    this.urls =
      own === null
        ? { rpc: `${httpStage.url}rpc`, acp: socketStage.url }
        : { rpc: `https://${own.name}/rpc`, acp: `wss://${socketName(own)}` };
  }
}

/** Who has no token yet learns here where tokens are given (RFC 9728). */
const describes = (api: HttpApi, { lambda }: StepFunction): void => {
  const routes = api.addRoutes({
    path: '/.well-known/oauth-protected-resource',
    methods: [HttpMethod.GET],
    integration: new HttpLambdaIntegration('Description', lambda),
    authorizer: new HttpNoneAuthorizer(),
  });
  for (const route of routes)
    because(route, { 'AwsSolutions-APIG4': 'It says who gives tokens, to those who have none yet, and nothing else.' });
};

const throttleOf = ({ quotas }: Environment) => ({ rateLimit: quotas.rate, burstLimit: quotas.burst });

/** One line for each request: what it came to and why. No header, no query and nothing that an authorizer said: a token never gets here. */
const LOGGED = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  ip: '$context.identity.sourceIp',
  route: '$context.routeKey',
  status: '$context.status',
  bytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  integrationError: '$context.integrationErrorMessage',
  refused: '$context.error.message',
} as const;

const httpStageOf = (scope: Construct, httpApi: HttpApi, environment: Environment): HttpStage =>
  new HttpStage(scope, 'HttpStage', {
    httpApi,
    stageName: '$default',
    autoDeploy: true,
    throttle: throttleOf(environment),
    accessLogSettings: {
      format: AccessLogFormat.custom(JSON.stringify(LOGGED)),
      destination: new LogGroupLogDestination(
        new LogGroup(scope, 'HttpLog', {
          logGroupName: `/aws/vendedlogs/${prefixOf(environment.name)}-http`,
          retention: environment.retention.logs,
          removalPolicy: RemovalPolicy.DESTROY,
        }),
      ),
    },
  });

/** Three routes at one function; only `$connect` is authorized, what follows belongs to the connection. */
const socketsOf = (
  scope: Construct,
  { environment, acp }: DoorProps,
  { socket }: ReturnType<typeof authorizersOf>,
): WebSocketApi => {
  const integration = (route: string) => new WebSocketLambdaIntegration(route, acp.lambda);
  const api = new WebSocketApi(scope, 'Sockets', {
    apiName: `${prefixOf(environment.name)}-sockets`,
    connectRouteOptions: { integration: integration('Connect'), authorizer: socket },
    disconnectRouteOptions: { integration: integration('Disconnect') },
    defaultRouteOptions: { integration: integration('Frame') },
  });
  because(api, {
    'AwsSolutions-APIG4':
      'A WebSocket is authorized once, at $connect; API Gateway has no authorizer for the routes after it.',
  });
  return api;
};

/** Connection ids are made at run time, so the resource ends with `*`. */
const mayPush = ({ lambda, role }: StepFunction, api: WebSocketApi, stage: WebSocketStage): void => {
  lambda.addEnvironment(VARIABLES.connections, stage.callbackUrl);
  const resources = ['POST', 'DELETE'].map((method) =>
    Stack.of(api).formatArn({
      service: 'execute-api',
      resource: api.apiId,
      resourceName: `${stage.stageName}/${method}/@connections/*`,
    }),
  );
  role.addToPolicy(new PolicyStatement({ actions: ['execute-api:ManageConnections'], resources }));
  becauseEndless(role, resources, ENDLESS.connections);
};

/** A WebSocket API cannot share a name with an HTTP API, so it has one beside it. */
const socketName = ({ name }: NonNullable<Environment['domain']>): string => `ws.${name}`;

/** `https://<name>/rpc` and `wss://ws.<name>`; the certificate is for both. */
const named = (
  scope: Construct,
  own: NonNullable<Environment['domain']>,
  stages: { http: HttpStage; sockets: WebSocketStage },
): { rpc: DnsTarget; acp: DnsTarget } => {
  const certificate = Certificate.fromCertificateArn(scope, 'Certificate', own.certificate);
  const http = new DomainName(scope, 'Domain', { domainName: own.name, certificate });
  const sockets = new DomainName(scope, 'SocketDomain', { domainName: socketName(own), certificate });
  new ApiMapping(scope, 'HttpMapping', { api: stages.http.api, domainName: http, stage: stages.http });
  new ApiMapping(scope, 'SocketMapping', { api: stages.sockets.api, domainName: sockets, stage: stages.sockets });
  return { rpc: targetOf(http), acp: targetOf(sockets) };
};

const targetOf = ({ regionalDomainName, regionalHostedZoneId }: DomainName): DnsTarget => ({
  target: regionalDomainName,
  zone: regionalHostedZoneId,
});
