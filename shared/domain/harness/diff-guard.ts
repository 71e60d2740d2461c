// The guard on the change itself that every task has: what it may touch at all (requirements section 3, honesty of "green").
import type { Criterion, DiffCheck, ProtectedKind } from '#shared/contracts/criterion.ts';
import type { CriteriaTemplate } from '#shared/contracts/profile.ts';
import type { Project } from '#shared/contracts/project.ts';
import { filled, type Values } from './templates.ts';

/** A limit that the goal's wording sets. */
export type Limit = { template: Extract<CriteriaTemplate, { use: 'limit' }>; params: Values };

/** Id of the guard among a task's criteria. */
export const DIFF_GUARD = 'diff';

/**
 * Tests, configuration, scripts and lock files stay as they are. Fixers may edit test files when the goal is about linting or
 * formatting and nothing in it keeps them, but not while the goal's own tests were red.
 */
export function diffGuard({
  own,
  limits,
  project,
}: {
  own: readonly Criterion[];
  limits: readonly Limit[];
  project: Project | null;
}): Criterion {
  const kept = new Set<ProtectedKind>(limits.flatMap((limit) => limit.template.protect));
  const files = limits.flatMap(({ template, params }) =>
    template.max_files === null ? [] : [Number(filled(template.max_files, params))],
  );
  const kinds = kindsOf(own, project);
  const check: DiffCheck = {
    kind: 'diff',
    forbid: limits.flatMap(({ template, params }) => template.forbid.map((glob) => filled(glob, params))),
    allow: limits.flatMap(({ template, params }) => template.allow.map((glob) => filled(glob, params))),
    fix_tests: !kept.has('tests') && (kinds.has('lint') || kinds.has('format')),
    frozen_if_red: own.filter((one) => kindOf(one, project) === 'test').map((one) => one.id),
    ...(files.length === 0 ? {} : { max_files: Math.min(...files) }),
  };
  const allows = new Set(own.flatMap((one) => one.allows).filter((kind) => !kept.has(kind)));
  return {
    id: DIFF_GUARD,
    text: textOf(check, allows),
    level: 'must',
    clause: null,
    goal: false,
    project_check: null,
    check,
    allows: [...allows],
  };
}

function kindsOf(own: readonly Criterion[], project: Project | null): Set<string> {
  const ids = new Set(own.filter((one) => one.goal).map((one) => one.project_check));
  return new Set((project?.checks ?? []).filter((check) => ids.has(check.id)).flatMap((check) => check.covers));
}

const kindOf = (one: Criterion, project: Project | null): string | null =>
  project?.checks.find((check) => check.id === one.project_check)?.kind ?? null;

function textOf(check: DiffCheck, allows: ReadonlySet<ProtectedKind>): string {
  const kept = ['tests', 'config', 'scripts', 'lock'].filter((kind) => ![...allows].some((one) => one === kind));
  const limits = [
    kept.length === 0
      ? ''
      : `the change leaves ${kept.join(', ')} as they are${check.fix_tests ? ' (fixers may tidy test files)' : ''}`,
    check.forbid.length === 0 ? '' : `does not touch ${check.forbid.join(', ')}`,
    check.allow.length === 0 ? '' : `touches only ${check.allow.join(', ')}`,
    check.max_files === undefined ? '' : `touches at most ${check.max_files} files`,
  ];
  return (
    limits
      .filter((limit) => limit !== '')
      .join(', ')
      .slice(0, 500) || 'the change may touch anything'
  );
}
