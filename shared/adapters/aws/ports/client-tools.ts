// Tools over MCP: those of the house, and for the tasks of an editor's session the servers that it brought, as far as policy lets them.
import type { Sandbox } from '#shared/ports/sandbox.ts';
import type { Tools } from '#shared/ports/tools.ts';
import { ClientServers } from '../../open/mcp-client-servers.ts';
import { ClientTools, serversOfTask } from '../../open/mcp-client-tools.ts';
import { McpTools } from '../../open/mcp-tools.ts';
import { dynamoTurns } from '../dynamo-turns.ts';
import { clock } from './clock.ts';
import type { Variables } from './environment.ts';
import { tableOf } from './tables.ts';

export const clientTools = (variables: Variables, sandbox: Sandbox): Tools => {
  const turns = dynamoTurns(tableOf(variables, 'sessions'), clock(variables));
  return new ClientTools(new McpTools(sandbox), new ClientServers(sandbox), serversOfTask(turns));
};
