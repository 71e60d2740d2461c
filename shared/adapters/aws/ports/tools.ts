// Tools over MCP on the sandbox. They are loaded with the first call: an invocation that needs none starts without them.
import type { Tools } from '#shared/ports/tools.ts';
import type { Build } from './environment.ts';
import { sandbox } from './sandbox.ts';

export const tools: Build<Tools> = (variables) => {
  const place = sandbox(variables);
  let loaded: Promise<Tools> | undefined;
  const load = (): Promise<Tools> => {
    loaded ??= import('../../open/mcp-tools.ts').then(({ McpTools }) => new McpTools(place));
    return loaded;
  };
  return {
    list: async (context) => (await load()).list(context),
    discover: async (context, text) => (await load()).discover(context, text),
    call: async (context, call) => (await load()).call(context, call),
    release: async (session) => (await load()).release(session),
  };
};
