// Port: the runtime-tool, the one way to any tool for models and frozen tools alike (harness layer 4).
import type { ToolCall, ToolOutcome } from '#shared/contracts/evidence.ts';
import type { Policy, SideEffect } from '#shared/contracts/policy.ts';

/** On whose behalf a tool is called. `approved_by` lists decisions already taken for this very call. */
export type ToolContext = {
  tenant: string;
  task: string;
  holon: string;
  session: string;
  policy: Policy;
  lane: string;
  approved_by?: readonly ('parent' | 'root' | 'person')[];
  /** Values to take out of every preview and result, by value. */
  secrets?: readonly string[];
};

/** One line of the short catalogue. `ready: false` says why in `reason`. */
export type ToolEntry = {
  tool: string;
  description: string;
  side_effect: SideEffect;
  needs_approval: boolean;
  ready: boolean;
  reason?: string;
  input_schema: Readonly<Record<string, unknown>>;
};

export interface Tools {
  /** `runtime-tool/list`: what this policy lets this lane call, sorted by name. */
  list(context: ToolContext): Promise<ToolEntry[]>;
  /** `runtime-capability/discover`: the same entries ranked for a text, best first, only those with a score. */
  discover(context: ToolContext, text: string): Promise<{ entry: ToolEntry; score: number }[]>;
  /** `runtime-tool/call`: policy, then arguments, then the call, always with evidence. Never throws for a tool's failure. */
  call(context: ToolContext, call: ToolCall): Promise<ToolOutcome>;
  /** Ends the foreign servers that were started for a session. */
  release(session: string): Promise<void>;
}
