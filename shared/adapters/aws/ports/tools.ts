// Tools over MCP on the sandbox. They are loaded with the first call: an invocation that needs none starts without them.
import type { Tools } from '#shared/ports/tools.ts';
import { type Build, table } from './environment.ts';
import { sandbox } from './sandbox.ts';

/** @throws HcaFault HcaBadInput naming the variable of the table in which an editor's servers are found */
export const tools: Build<Tools> = (variables) => {
  table(variables, 'sessions');
  const place = sandbox(variables);
  let loaded: Promise<Tools> | undefined;
  const load = (): Promise<Tools> => {
    loaded ??= import('./client-tools.ts').then(({ clientTools }) => clientTools(variables, place));
    return loaded;
  };
  return {
    list: async (context) => (await load()).list(context),
    discover: async (context, text) => (await load()).discover(context, text),
    call: async (context, call) => (await load()).call(context, call),
    release: async (session) => (await load()).release(session),
  };
};
