// The policy rules: narrowing on the way down, and the check of one tool call (requirements 8, architecture 11).
// Deny by default: whatever a list does not allow is refused, and the answer names the rule that decided.
import {
  type CallSubject,
  Policy,
  type PolicyAnswer,
  SIDE_EFFECTS,
  type SideEffect,
} from '#shared/contracts/policy.ts';
import { firstMatch, intersectGlobs } from '#shared/domain/glob.ts';

/** Allows nothing; what stands in where no policy is known. */
export const DENY_ALL: Policy = Policy.parse({});

/** The policy that allows only what both allow: allow lists are intersected, deny lists and approvals add up. Never widens. */
export function narrowPolicy(parent: Policy, child: Policy): Policy {
  return {
    tools: {
      allow: intersectGlobs(parent.tools.allow, child.tools.allow),
      deny: union(parent.tools.deny, child.tools.deny),
    },
    side_effects: lower(parent.side_effects, child.side_effects),
    paths: {
      write: intersectGlobs(parent.paths.write, child.paths.write),
      deny: union(parent.paths.deny, child.paths.deny),
    },
    network: narrowNetwork(parent.network, child.network),
    approvals: [...parent.approvals, ...child.approvals.filter((rule) => !isListed(rule, parent.approvals))],
    models: intersectGlobs(parent.models, child.models),
    data_classes: both(parent.data_classes, child.data_classes),
    servers: both(parent.servers, child.servers),
  };
}

/** Decides one tool call. The tool's full name `server.tool` is what the tool globs are matched with. Pure and total. */
export function checkToolCall(policy: Policy, call: CallSubject): PolicyAnswer {
  return (
    checkServer(policy, call) ??
    checkTool(policy, call) ??
    checkSideEffect(policy, call) ??
    checkPaths(policy, call) ??
    checkHosts(policy, call) ??
    checkApproval(policy, call) ??
    allow(policy, call)
  );
}

/** The paths of a change that this policy does not let anybody write; a shell can only be checked after the fact. */
export function refusedPaths(policy: Policy, paths: readonly string[]): string[] {
  return paths.filter(
    (path) => firstMatch(policy.paths.deny, path) !== null || firstMatch(policy.paths.write, path) === null,
  );
}

/** True when `effect` is at or below the ceiling. */
export function withinCeiling(ceiling: SideEffect, effect: SideEffect): boolean {
  return SIDE_EFFECTS.indexOf(effect) <= SIDE_EFFECTS.indexOf(ceiling);
}

function checkServer(policy: Policy, call: CallSubject): PolicyAnswer | null {
  if (policy.servers.includes(call.server)) return null;
  return refuse('servers', `server "${call.server}" is not listed in the policy`);
}

function checkTool(policy: Policy, call: CallSubject): PolicyAnswer | null {
  const denied = firstMatch(policy.tools.deny, call.tool);
  if (denied !== null) return refuse(`tools.deny:${denied}`, `tool "${call.tool}" is denied`);
  if (firstMatch(policy.tools.allow, call.tool) !== null) return null;
  return refuse('tools.allow', `tool "${call.tool}" is not allowed by any entry`);
}

function checkSideEffect(policy: Policy, call: CallSubject): PolicyAnswer | null {
  const effect = call.side_effect;
  if (effect === undefined)
    return refuse('side_effects', `tool "${call.tool}" is unknown: it has no side-effect class`);
  if (withinCeiling(policy.side_effects, effect)) return null;
  return refuse(`side_effects:${policy.side_effects}`, `"${effect}" is above the ceiling "${policy.side_effects}"`);
}

function checkPaths(policy: Policy, call: CallSubject): PolicyAnswer | null {
  for (const path of call.writes) {
    const denied = firstMatch(policy.paths.deny, path);
    if (denied !== null) return refuse(`paths.deny:${denied}`, `path "${path}" is denied`);
    if (firstMatch(policy.paths.write, path) === null) {
      return refuse('paths.write', `path "${path}" is not writable under any entry`);
    }
  }
  return null;
}

function checkHosts(policy: Policy, call: CallSubject): PolicyAnswer | null {
  if (call.hosts.length === 0) return null;
  if (policy.network.access === 'none') return refuse('network:none', 'the network is closed');
  const foreign = call.hosts.find((host) => firstMatch(policy.network.hosts, host) === null);
  return foreign === undefined ? null : refuse('network.hosts', `host "${foreign}" is not allowed by any entry`);
}

function checkApproval(policy: Policy, call: CallSubject): PolicyAnswer | null {
  for (const rule of policy.approvals) {
    const concerned = call.side_effect !== undefined && rule.side_effects.includes(call.side_effect);
    const tool = concerned ? firstMatch(rule.tools, call.tool) : null;
    if (tool === null || call.approved_by.includes(rule.by)) continue;
    return { ...refuse(`approvals:${tool}`, `tool "${call.tool}" needs the approval of ${rule.by}`), needs: rule.by };
  }
  return null;
}

function allow(policy: Policy, call: CallSubject): PolicyAnswer {
  const rule = `tools.allow:${firstMatch(policy.tools.allow, call.tool)}`;
  return { allowed: true, rule, reason: `tool "${call.tool}" is allowed` };
}

function refuse(rule: string, reason: string): PolicyAnswer {
  return { allowed: false, rule, reason };
}

function narrowNetwork(parent: Policy['network'], child: Policy['network']): Policy['network'] {
  if (parent.access === 'none' || child.access === 'none') return { access: 'none', hosts: [] };
  return { access: 'allow', hosts: intersectGlobs(parent.hosts, child.hosts) };
}

function lower(left: SideEffect, right: SideEffect): SideEffect {
  return withinCeiling(left, right) ? right : left;
}

function both(left: readonly string[], right: readonly string[]): string[] {
  return left.filter((entry) => right.includes(entry));
}

function union(left: readonly string[], right: readonly string[]): string[] {
  return [...new Set([...left, ...right])];
}

function isListed(rule: Policy['approvals'][number], rules: Policy['approvals']): boolean {
  return rules.some((known) => JSON.stringify(known) === JSON.stringify(rule));
}
