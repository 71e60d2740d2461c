// The client of open WebSockets. Where all of AWS is at one address (an emulator), so is this; else it has an address of its own.
import { ApiGatewayManagementApiClient } from '@aws-sdk/client-apigatewaymanagementapi';
import { VARIABLES } from '#shared/contracts/storage.ts';
import type { Connections } from '#shared/ports/watchers.ts';
import { apigatewayConnections } from '../apigateway-connections.ts';
import { connecting } from './connecting.ts';
import { type Build, type Variables, variable } from './environment.ts';

export const openConnections: Build<Connections> = (variables) =>
  apigatewayConnections(
    new ApiGatewayManagementApiClient({ ...connecting(variables), endpoint: addressOf(variables) }),
  );

/** `https://<api>.execute-api.<region>.amazonaws.com/<stage>`; below one address for everything it is `/_aws/execute-api/<api>/<stage>`. */
const addressOf = (variables: Variables): string => {
  const own = variable(variables, VARIABLES.connections);
  const { AWS_ENDPOINT_URL: everything } = variables;
  if (everything === undefined || everything === '') return own;
  const { hostname, pathname } = new URL(own);
  return `${everything}/_aws/execute-api/${hostname.split('.')[0]}${pathname}`;
};
