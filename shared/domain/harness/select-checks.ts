// Which of the workspace's own checks a clause of the goal is about.
import type { CheckKind } from '#shared/contracts/frozen-tool.ts';
import type { CriteriaTemplate } from '#shared/contracts/profile.ts';
import type { Project, ProjectCheck } from '#shared/contracts/project.ts';
import type { Values } from './templates.ts';

/** The checks, or why the workspace has none for this clause. */
export type Selection = { checks: ProjectCheck[]; missing: string | null };

/** What is asked: a template of the kind `checks` with the parameters of the goal's wording; `scope` is a folder or null. */
export type Asked = { template: Extract<CriteriaTemplate, { use: 'checks' }>; params: Values; scope: string | null };

/** Checks by script name, by tool, or by kind. */
export function selectChecks(project: Project, { template, params, scope }: Asked): Selection {
  const within = project.checks.filter(
    (check) => scope === null || check.cwd === scope || check.cwd.startsWith(`${scope}/`),
  );
  if (params.script !== undefined) return byScript(within, params.script);
  if (params.tool !== undefined) return byTool(within, params.tool);
  const perKind = template.kinds.map((kind) => ({ kind, checks: byKind(within, kind) }));
  const absent = perKind.filter(({ checks }) => checks.length === 0).map(({ kind }) => kind);
  if (absent.length === perKind.length || (template.need === 'each' && absent.length > 0)) {
    return none(
      `this workspace has no ${absent.map((kind) => NAMES[kind]).join(' and no ')} (no script, target or configured tool was found)`,
    );
  }
  return { checks: unique(perKind.flatMap(({ checks }) => checks)), missing: null };
}

const NAMES: Readonly<Record<CheckKind, string>> = {
  lint: 'linter',
  format: 'formatter',
  types: 'type check',
  test: 'test',
};

const none = (missing: string): Selection => ({ checks: [], missing });

function byScript(checks: readonly ProjectCheck[], name: string): Selection {
  const found = checks.filter((check) => check.source === `script ${name}` || check.source === `target ${name}`);
  const first = found.find((check) => check.cwd === '.') ?? found[0];
  return first === undefined
    ? none(`this workspace has no check called "${name}"`)
    : { checks: [first], missing: null };
}

function byTool(checks: readonly ProjectCheck[], tool: string): Selection {
  const found = preferUnnamed(checks.filter((check) => check.tools.includes(tool)));
  return found.length === 0 ? none(`no check of this workspace runs ${tool}`) : { checks: found, missing: null };
}

/** In each folder the checks of the kind itself, else those that cover it among other things. */
function byKind(checks: readonly ProjectCheck[], kind: CheckKind): ProjectCheck[] {
  const covering = preferUnnamed(checks.filter((check) => check.covers.includes(kind)));
  return covering.filter((check) => {
    const own = covering.some((other) => other.cwd === check.cwd && other.kind === kind);
    return check.kind === kind || !own;
  });
}

/** Checks that count only when named are taken only where there is no other. */
function preferUnnamed(checks: readonly ProjectCheck[]): ProjectCheck[] {
  const plain = checks.filter((check) => !check.named);
  return plain.length > 0 ? plain : checks.slice(0, 1);
}

const unique = (checks: readonly ProjectCheck[]): ProjectCheck[] => [...new Set(checks)];
