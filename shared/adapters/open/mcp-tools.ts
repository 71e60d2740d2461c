// The tools port over MCP: the one way to any tool. Policy, lane and arguments are checked here before anything is called,
// and every call leaves evidence (harness layers 4 and 5; requirements 8).
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Evidence, ToolCall, ToolOutcome } from '#shared/contracts/evidence.ts';
import { type PolicyAnswer, SIDE_EFFECTS, type SideEffect } from '#shared/contracts/policy.ts';
import { checkToolCall, withinCeiling } from '#shared/domain/policy.ts';
import type { Sandbox } from '#shared/ports/sandbox.ts';
import type { ToolContext, ToolEntry, Tools } from '#shared/ports/tools.ts';
import { McpConnection, type RawAnswer, type ServerTool } from './mcp-connection.ts';
import { bounded, evidenceOf, type Redact, redactor } from './mcp-evidence.ts';
import { type ForeignServer, ForeignServers } from './mcp-foreign-servers.ts';
import { LANES, rankEntries } from './mcp-lanes.ts';
import { CommandResult, OWN_TOOLS, ownServers, type ToolClass } from './mcp-own-servers.ts';
