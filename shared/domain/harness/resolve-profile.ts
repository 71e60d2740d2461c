// Resolves a profile: system, user, workspace, task-family, session, goal, the later overriding the earlier, except the invariants,
// which can only be narrowed (requirements section 6, Profiles).

import { SIDE_EFFECTS } from '#shared/contracts/policy.ts';
import { type HarnessProfile, LAYERS, type ProfileLayer } from '#shared/contracts/profile.ts';
import { intersectGlobs } from '../glob.ts';

/** An override that would have widened an invariant; the narrower value stays. */
export type Refusal = { layer: ProfileLayer['layer']; field: string; reason: string };

/** The resolved profile and every override that was refused. Layers may come in any order; those of one kind in the order given. */
export function resolveProfile(
  start: HarnessProfile,
  layers: readonly ProfileLayer[],
): { profile: HarnessProfile; refused: Refusal[] } {
  const ordered = layers.toSorted((left, right) => LAYERS.indexOf(left.layer) - LAYERS.indexOf(right.layer));
  const refused: Refusal[] = [];
  const profile = ordered.reduce((so_far, layer) => {
    const next = overlaid(so_far, layer);
    refused.push(...refusalsOf(next, layer));
    return next;
  }, start);
  return { profile, refused };
}

function overlaid(profile: HarnessProfile, layer: ProfileLayer): HarnessProfile {
  const { agent, parallelism, tools } = profile;
  return {
    ...profile,
    agent: {
      lanes: { ...agent.lanes, ...layer.agent?.lanes },
      attribution: {
        holon: agent.attribution.holon || layer.agent?.attribution?.holon === true,
        lane: agent.attribution.lane || layer.agent?.attribution?.lane === true,
        tools: agent.attribution.tools || layer.agent?.attribution?.tools === true,
      },
    },
    routing: { ...profile.routing, ...layer.routing },
    parallelism: {
      child_depth: Math.min(parallelism.child_depth, layer.parallelism?.child_depth ?? parallelism.child_depth),
      concurrency: Math.min(parallelism.concurrency, layer.parallelism?.concurrency ?? parallelism.concurrency),
    },
    context: { ...profile.context, ...layer.context },
    retrieval: { ...profile.retrieval, ...layer.retrieval },
    tools: { ...tools, ...layer.tools, ...writeBoundary(tools, layer.tools) },
    verification: { ...profile.verification, ...layer.verification },
    clarification: { ...profile.clarification, ...layer.clarification },
    rollout: { ...profile.rollout, ...layer.rollout },
  };
}

type Tools = HarnessProfile['tools'];

function writeBoundary(tools: Tools, change: ProfileLayer['tools']): Pick<Tools, 'side_effects' | 'write_paths'> {
  const ceilings = [tools.side_effects, change?.side_effects ?? tools.side_effects];
  const lowest = ceilings.toSorted((left, right) => SIDE_EFFECTS.indexOf(left) - SIDE_EFFECTS.indexOf(right))[0];
  const write_paths =
    change?.write_paths === undefined ? tools.write_paths : intersectGlobs(tools.write_paths, change.write_paths);
  return { side_effects: lowest ?? tools.side_effects, write_paths };
}

/** What the layer asked for and did not get. */
function refusalsOf(profile: HarnessProfile, change: ProfileLayer): Refusal[] {
  const fields = [...tooWide(profile, change), ...turnedOff(profile, change)];
  return fields.map((field) => ({ layer: change.layer, field, reason: `${field} can only be narrowed` }));
}

function tooWide(profile: HarnessProfile, { parallelism = {}, tools = {} }: ProfileLayer): string[] {
  const { child_depth = 0, concurrency = 0 } = parallelism;
  const { side_effects = profile.tools.side_effects, write_paths = [] } = tools;
  return [
    child_depth > profile.parallelism.child_depth ? ['parallelism.child_depth'] : [],
    concurrency > profile.parallelism.concurrency ? ['parallelism.concurrency'] : [],
    side_effects === profile.tools.side_effects ? [] : ['tools.side_effects'],
    write_paths.every((path) => profile.tools.write_paths.includes(path)) ? [] : ['tools.write_paths'],
  ].flat();
}

function turnedOff({ agent }: HarnessProfile, change: ProfileLayer): string[] {
  const on = Object.entries(agent.attribution).filter(([, value]) => value);
  const off = Object.entries(change.agent?.attribution ?? {}).filter(([, value]) => value === false);
  return off.filter(([name]) => on.some(([one]) => one === name)).map(([name]) => `agent.attribution.${name}`);
}
