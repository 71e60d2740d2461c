// A house with the real sandbox and the real tools, on one folder; its frozen tool appends two lines, so that work done twice is seen.
import path from 'node:path';
import { createRuntime, type Runtime } from '#local/runtime.ts';
import { sessionsInUse } from '#local/sessions-in-use.ts';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import { ProcessSandbox } from '#shared/adapters/local/process-sandbox.ts';
import { McpTools } from '#shared/adapters/open/mcp-tools.ts';
import { HarnessPackage } from '#shared/contracts/profile.ts';
import { noOpHarness, noOpHolarchy, noOpOutside } from '#test/support/no-op-house.ts';
import { TENANT } from '#test/support/submit.ts';
import { type Hook, intercepted } from './intercept.ts';

const append = (line: string) => ({
  call: { tool: 'shell.run', arguments: { command: `echo ${line} >> turn.txt; sleep 0.02`, timeout_ms: 20_000 } },
  note: `appends ${line}`,
});

/** Three calls, then a criterion on the lines they leave. */
const appending: HarnessPackage = HarnessPackage.parse({
  ...noOpHarness,
  tools: noOpHarness.tools.map((tool) => ({ ...tool, steps: [append('one'), append('two'), append('done')] })),
});

export const openRealHouse = async (
  home: string,
  hook: Hook,
): Promise<Runtime & { take(folder: string): Promise<string> }> => {
  const workspaces = new FilesWorkspaces(path.join(home, 'workspaces'));
  workspaces.trees.put([]);
  const sandbox = new ProcessSandbox(path.join(home, 'sessions'), { trees: workspaces.trees });
  const { profiles } = noOpOutside(() => '', [appending]);
  const runtime = createRuntime({
    folder: home,
    outside: () => ({ workspaces, sandbox, tools: new McpTools(sandbox), profiles }),
    around: (ports) => intercepted(ports, hook),
  });
  if ((await runtime.storage.holons.all(TENANT)).length === 0) await runtime.storage.holons.load(TENANT, noOpHolarchy);
  await sandbox.sweep(await sessionsInUse(TENANT, runtime.ports.tasks));
  return { ...runtime, take: async (folder) => (await workspaces.take(folder)).tree };
};
