// Who is let in at the door: bearer tokens through our authorizer where an issuer is configured, else requests signed with AWS credentials.

import { Duration } from 'aws-cdk-lib';
import type { IHttpRouteAuthorizer, IWebSocketRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  HttpIamAuthorizer,
  HttpLambdaAuthorizer,
  HttpLambdaResponseType,
  WebSocketIamAuthorizer,
  WebSocketLambdaAuthorizer,
} from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import type { StepFunction } from './step-function.ts';

export interface Authorizers {
  http: IHttpRouteAuthorizer;
  socket: IWebSocketRouteAuthorizer;
}

/** `authorize` null: IAM. An answer is not kept: a token that was taken back or ended is refused at the next request. */
export const authorizersOf = (authorize: StepFunction | null): Authorizers => {
  if (authorize === null) return { http: new HttpIamAuthorizer(), socket: new WebSocketIamAuthorizer() };
  return {
    http: new HttpLambdaAuthorizer('Tokens', authorize.lambda, {
      responseTypes: [HttpLambdaResponseType.SIMPLE],
      identitySource: ['$request.header.Authorization'],
      resultsCacheTtl: Duration.seconds(0),
    }),
    // A browser cannot set a header on a WebSocket, so no identity source is asked for: the authorizer looks at header and subprotocol.
    socket: new WebSocketLambdaAuthorizer('SocketTokens', authorize.lambda, { identitySource: [] }),
  };
};
