// The next way to work on a task: frozen tools of its family, weakest first, each once (requirements section 6, Frozen tools; L2-ITR-01).
import type { Criterion } from '#shared/contracts/criterion.ts';
import type { Alternative, FrozenCall, FrozenTool } from '#shared/contracts/frozen-tool.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import type { Project } from '#shared/contracts/project.ts';
import { type Expansion, expandTool } from './expand.ts';
import type { Values } from './templates.ts';

/** `tried`: names of the alternatives taken before; `green`: ids of criteria that passed on the baseline, none when it is not known. */
export type AlternativeQuestion = {
  harness: HarnessPackage;
  family: string;
  criteria: readonly Criterion[];
  project: Project | null;
  tried: readonly string[];
  iteration: number;
  params: Values;
  green?: readonly string[];
};

/** The weakest that was not tried, has something to do here, and would do something else than those tried; null when nothing is left. */
export function nextAlternative({
  harness,
  family,
  tried,
  green = [],
  ...rest
}: AlternativeQuestion): Alternative | null {
  const expansion: Expansion = { ...rest, green };
  const tools = toolsFor(harness, family, expansion);
  const done = new Set(
    tools.filter((tool) => tried.includes(tool.name)).map((tool) => actOf(expandTool(tool, expansion))),
  );
  for (const tool of tools) {
    const calls = expandTool(tool, expansion);
    const spent = !tool.again && (tried.includes(tool.name) || done.has(actOf(calls)));
    if (calls.some((call) => !call.tidies) && !spent)
      return { name: tool.name, rank: tool.rank, calls, declares: costOf(tool, calls.length) };
  }
  return null;
}

/** Frozen tools of a family that apply to these criteria, weakest first. */
export function toolsFor(
  harness: HarnessPackage,
  family: string,
  { criteria, project }: Pick<Expansion, 'criteria' | 'project'>,
): FrozenTool[] {
  const goals = new Set(criteria.filter((one) => one.goal).map((one) => one.project_check));
  const kinds = (project?.checks ?? []).filter((check) => goals.has(check.id)).flatMap((check) => check.covers);
  return harness.tools
    .filter((tool) => tool.families.includes(family))
    .filter((tool) => tool.when.length === 0 || tool.when.some((kind) => kinds.includes(kind)))
    .sort((left, right) => left.rank - right.rank || left.name.localeCompare(right.name));
}

/** Declared totals of a frozen tool for a number of calls. */
export function costOf(tool: FrozenTool, calls: number): { calls: number; time_ms: number } {
  const count = Math.max(tool.declares.calls, calls);
  return { calls: count, time_ms: tool.declares.time_ms + tool.declares.per_call_ms * calls };
}

const actOf = (calls: readonly FrozenCall[]): string =>
  JSON.stringify(calls.map((call) => [call.tool, call.arguments]));
