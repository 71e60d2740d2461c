// The tools adapter on a session of the embedded sandbox, with a policy that lets a worker work.

import { McpTools, type McpToolsOptions } from '#shared/adapters/open/mcp-tools.ts';
import type { ToolCall, ToolOutcome } from '#shared/contracts/evidence.ts';
import { Policy } from '#shared/contracts/policy.ts';
import type { ToolContext } from '#shared/ports/tools.ts';
import type { Layout } from '../local/sandbox/folders.ts';
import { bench } from '../local/sandbox/sandboxes.ts';

export const WORKING = Policy.parse({
  tools: { allow: ['filesystem.*', 'git.*', 'shell.*'] },
  side_effects: 'local_write',
  paths: { write: ['**'], deny: ['secret/**'] },
  servers: ['filesystem', 'git', 'shell'],
});

export const context = (extra: Partial<ToolContext> = {}): ToolContext => ({
  tenant: 'local',
  task: 'task',
  holon: 'developer',
  session: 's1',
  policy: WORKING,
  lane: 'worker',
  ...extra,
});

export async function toolBench(layout: Layout, options: McpToolsOptions & { bubblewrap?: boolean } = {}) {
  const { bubblewrap = false, ...rest } = options;
  const place = bench(bubblewrap, layout);
  await place.open('s1');
  const tools = new McpTools(place.sandbox, rest);
  const call = (
    tool: string,
    args: ToolCall['arguments'] = {},
    extra: Partial<ToolContext> = {},
  ): Promise<ToolOutcome> => tools.call(context(extra), { tool, arguments: args });
  return { ...place, tools, call };
}
