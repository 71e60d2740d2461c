// A WebSocket API whose $connect is authorized by IAM and calls the stub `connects`, which leaves what it was called with with the test.
import { presign } from '#shared/client/sigv4.ts';

const INTEGRATION = { 'Fn::Join': ['/', ['integrations', { Ref: 'SocketIntegration' }]] };
const CALLED = [
  'arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/',
  { 'Fn::GetAtt': ['Functionconnects', 'Arn'] },
  '/invocations',
];

/** Resources and outputs for a stack of stubs. */
export const SOCKET_API = {
  resources: {
    SocketApi: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: { Name: 'hca-probe', ProtocolType: 'WEBSOCKET', RouteSelectionExpression: '$request.body.action' },
    },
    SocketIntegration: {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: {
        ApiId: { Ref: 'SocketApi' },
        IntegrationType: 'AWS_PROXY',
        IntegrationUri: { 'Fn::Join': ['', CALLED] },
      },
    },
    SocketRoute: {
      Type: 'AWS::ApiGatewayV2::Route',
      Properties: {
        ApiId: { Ref: 'SocketApi' },
        RouteKey: '$connect',
        AuthorizationType: 'AWS_IAM',
        Target: INTEGRATION,
      },
    },
    SocketStage: {
      Type: 'AWS::ApiGatewayV2::Stage',
      Properties: { ApiId: { Ref: 'SocketApi' }, StageName: 'live', AutoDeploy: true },
    },
  },
  outputs: { sockets: { Value: { Ref: 'SocketApi' } } },
};

/** Opens a signed connection and closes it. */
export const connectOnce = async (endpoint: string, api: string): Promise<void> => {
  const url = `${endpoint.replace(/^http/, 'ws')}/_aws/execute-api/${api}/live`;
  const scope = { region: 'us-east-1', service: 'execute-api' };
  const keys = { access_key: 'test', secret_key: 'test', session_token: null };
  const socket = new WebSocket(await presign({ url, scope, now: new Date() }, keys));
  await new Promise((done) => {
    socket.addEventListener('open', done);
    socket.addEventListener('error', done);
  });
  socket.close();
};
