// Expands a frozen tool for one workspace and iteration: fix steps become the workspace's own fixers, texts get their values.
import type { Criterion } from '#shared/contracts/criterion.ts';
import type { CallStep, FixStep, FrozenCall, FrozenTool } from '#shared/contracts/frozen-tool.ts';
import type { Project, ProjectFixer } from '#shared/contracts/project.ts';
import { filled, filledJson, type Values } from './templates.ts';

/** What expanding depends on. `green`: ids of criteria that passed before the work. */
export type Expansion = {
  criteria: readonly Criterion[];
  project: Project | null;
  iteration: number;
  params: Values;
  green: readonly string[];
};

/** A fixer may take as long as a check; a plain call says itself if it wants more. */
const FIX_MS = 120_000;

/** Calls in order; the same fixer is not run twice in a row of steps unless something ran in between. */
export function expandTool(tool: FrozenTool, expansion: Expansion): FrozenCall[] {
  const limits = limitsOf(expansion);
  const calls: FrozenCall[] = [];
  for (const step of tool.steps) {
    const made = 'fix' in step ? fixCalls(step, expansion) : plainCalls(step, expansion);
    calls.push(...made.map((call, at) => ({ ...call, ...limits, id: `${tool.name}-${calls.length + at + 1}` })));
  }
  return calls.slice(0, MOST);
}

/** A plan holds at most this many calls. */
const MOST = 200;

type Call = Omit<FrozenCall, 'id' | 'spare' | 'only'>;

function fixCalls({ fix, note, keep }: FixStep, { criteria, project, green }: Expansion): Call[] {
  const wanted = criteria.filter((one) => isWanted(one, fix.of, green));
  const ids = new Map(wanted.map((one) => [one.project_check, one.id]));
  const goals = new Set(criteria.filter((one) => one.goal).map((one) => one.project_check));
  const fixers = (project?.fixers ?? []).filter(
    (fixer) =>
      fix.kinds.includes(fixer.kind) && fixer.strength === fix.strength && (fix.of === 'all' || ids.has(fixer.check)),
  );
  return distinct(fixers).map((fixer) => ({
    tool: 'shell.run',
    arguments: { command: fixer.command, cwd: fixer.cwd, timeout_ms: FIX_MS },
    note: `${note}: ${fixer.command}`.slice(0, 300),
    keep,
    tidies: (fix.of === 'green' || fix.of === 'red') && !goals.has(fixer.check),
    touched: fix.of === 'red' ? (ids.get(fixer.check) ?? null) : null,
  }));
}

function isWanted({ goal, id }: Criterion, of: FixStep['fix']['of'], green: readonly string[]): boolean {
  if (of === 'red') return !goal && !green.includes(id);
  return goal || (of === 'green' && green.includes(id));
}

function distinct(fixers: readonly ProjectFixer[]): ProjectFixer[] {
  return [...new Map(fixers.map((fixer) => [`${fixer.cwd} ${fixer.command}`, fixer])).values()];
}

function plainCalls(step: CallStep, { iteration, params }: Expansion): Call[] {
  const values = { ...params, iteration: String(iteration), marks: 'x'.repeat(iteration) };
  const wished = typeof step.repeat === 'number' ? step.repeat : Number(filled(step.repeat, values));
  const times = Number.isInteger(wished) ? Math.min(Math.max(wished, 0), MOST) : 0;
  return Array.from({ length: times }, (_, at) => ({
    tool: step.call.tool,
    arguments: Object.fromEntries(
      Object.entries(step.call.arguments).map(([name, value]) => [
        name,
        filledJson(value, { ...values, turn: String(at + 1) }),
      ]),
    ),
    note: filled(step.note, values),
    keep: step.keep,
    tidies: false,
    touched: null,
  }));
}

/** Fixers honour what the criteria forbid: frozen tests, forbidden paths, paths outside the allowed ones. */
function limitsOf({ criteria, project }: Expansion): Pick<FrozenCall, 'spare' | 'only'> {
  const diffs = criteria.flatMap(({ check, allows }) => (check.kind === 'diff' ? [{ check, allows }] : []));
  const frozen = diffs.some(({ check, allows }) => !check.fix_tests && !allows.includes('tests'));
  const tests = frozen && project !== null ? project.protected.tests : [];
  const spare = [...new Set([...diffs.flatMap(({ check }) => check.forbid), ...tests])].slice(0, 128);
  const only = diffs.find(({ check }) => check.allow.length > 0)?.check.allow ?? [];
  return { spare, only };
}
