// What the policy is asked about one call: its server, its class, the paths it writes; and the lane's own ceiling.
import { posix } from 'node:path';
import type { ToolCall } from '#shared/contracts/evidence.ts';
import { type CallSubject, type PolicyAnswer, SIDE_EFFECTS, type SideEffect } from '#shared/contracts/policy.ts';
import { checkToolCall, withinCeiling } from '#shared/domain/policy.ts';
import type { ToolContext } from '#shared/ports/tools.ts';
import { LANES } from './mcp-lanes.ts';
import type { ToolClass } from './mcp-own-servers.ts';

/** Hints of an untrusted server: they may make a class stricter, never milder. */
export type Hints = { destructiveHint?: boolean; readOnlyHint?: boolean; openWorldHint?: boolean } | undefined;

/** A tool's class, where its server knows the session's files, and the hosts it is reached at. */
export type Known = { class: ToolClass; workspace?: string; hosts?: readonly string[] };

/** Lane first, then policy. `known` is absent for a tool that nobody classified, which is refused. */
export function decide(context: ToolContext, call: ToolCall, known: Known | undefined): PolicyAnswer {
  const subject = subjectOf(context, call, known);
  return checkLane(context.lane, subject, known) ?? checkToolCall(context.policy, subject);
}

/** Name of the server: what is before the first dot. */
export function serverOf(tool: string): string {
  return tool.split('.', 1)[0] ?? '';
}

/** An open network makes any command one that may write outside: that is what the policy is asked about, for every lane. */
export function classUnder(context: ToolContext, tool: string, own: ToolClass): ToolClass {
  const reaches = tool === 'shell.run' && context.policy.network.access === 'allow';
  return reaches ? { ...own, side_effect: 'external_write', by_itself: own.side_effect } : own;
}

export function tighten(known: ToolClass, hints: Hints): ToolClass {
  if (hints === undefined || hints.readOnlyHint === true) return known;
  const open = hints.openWorldHint === true && known.side_effect !== 'read_only' ? 'external_write' : known.side_effect;
  return { ...known, side_effect: stricter(known.side_effect, hints.destructiveHint === true ? 'destructive' : open) };
}

function stricter(left: SideEffect, right: SideEffect): SideEffect {
  return SIDE_EFFECTS.indexOf(left) < SIDE_EFFECTS.indexOf(right) ? right : left;
}

function subjectOf(context: ToolContext, call: ToolCall, known: Known | undefined): CallSubject {
  return {
    server: serverOf(call.tool),
    tool: call.tool,
    side_effect: known?.class.side_effect,
    writes: (known?.class.writes ?? []).flatMap((name) => pathsOf(call.arguments[name], known?.workspace)),
    hosts: [...(known?.hosts ?? [])],
    approved_by: [...(context.approved_by ?? [])],
  };
}

/** A lane's ceiling is on what a tool does by itself: a reviewer repeats checks under the network that the producer had, if the policy lets anybody. */
function checkLane(lane: string, subject: CallSubject, known: Known | undefined): PolicyAnswer | null {
  const ceiling = LANES[lane];
  if (ceiling === undefined) return { allowed: false, rule: 'lane', reason: `the lane "${lane}" is unknown` };
  const effect = known?.class.by_itself ?? subject.side_effect;
  if (effect === undefined || withinCeiling(ceiling, effect)) return null;
  const reason = `"${effect}" is above the ceiling "${ceiling}" of the lane "${lane}"`;
  return { allowed: false, rule: `lane:${lane}`, reason };
}

/** Relative to the workspace and without `..`, so that a glob means the file that is written. */
function pathsOf(value: unknown, workspace: string | undefined): string[] {
  const paths = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
  return paths.map((path) => {
    const normal = posix.normalize(path);
    return workspace !== undefined && normal.startsWith(`${workspace}/`) ? normal.slice(workspace.length + 1) : normal;
  });
}
