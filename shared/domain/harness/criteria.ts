// Writes the acceptance criteria of a task: the goal's own checks, guards for everything else the workspace checks, and a guard
// on the change itself. Every clause needs a criterion (requirements section 3).
import type { Check, Criterion, DiffCheck } from '#shared/contracts/criterion.ts';
import type { CriteriaTemplate, HarnessPackage } from '#shared/contracts/profile.ts';
import type { Project, ProjectCheck } from '#shared/contracts/project.ts';
import { diffGuard, type Limit } from './diff-guard.ts';
import type { GoalClause, GoalReading, Meaning } from './goal.ts';
import { selectChecks } from './select-checks.ts';
import { filled, filledJson } from './templates.ts';

/** `given`: criteria that come with the task (a person's file, or a parent's); they win over one of the same id that would be written. */
export type CriteriaQuestion = {
  goal: Pick<GoalReading, 'clauses'>;
  project: Project | null;
  harness: HarnessPackage;
  given?: readonly Criterion[];
};

/** `uncovered`: clauses for which the workspace has no check, with the reason; the task must then be refused. */
export type WrittenCriteria = { criteria: Criterion[]; uncovered: { clause: string; reason: string }[] };

/** A task has at most this many criteria; guards beyond it are left out, the goal's own checks never. */
const MOST = 64;

/** Criteria for a goal in a workspace. */
export function writeCriteria({ goal, project, harness, given = [] }: CriteriaQuestion): WrittenCriteria {
  const parts = goal.clauses.map((clause) => partOf(clause, project, harness));
  const own = byId([...given, ...parts.flatMap((part) => part.criteria)]).filter(
    (one) => one.check.kind !== 'diff' || one.goal,
  );
  const limits = parts.flatMap((part) => part.limits);
  const guards = (project?.checks ?? []).filter((check) => !check.named).map((check) => checkCriterion(check, null));
  const given_guards = given.filter((one) => one.check.kind === 'diff' && !one.goal);
  const written = [...own, ...given_guards, diffGuard({ own, limits, project })];
  const room = MOST - written.length;
  const criteria = byId([
    ...written,
    ...guards.filter((guard) => !own.some((one) => one.id === guard.id)).slice(0, Math.max(0, room)),
  ]);
  const excused = given.some((one) => one.goal && one.clause === null);
  const uncovered = excused
    ? []
    : parts.flatMap((part) => part.uncovered.filter(({ clause }) => !isGiven(clause, given)));
  return { criteria, uncovered: own.length > MOST - 2 ? [...uncovered, tooMany(own.length)] : uncovered };
}

const isGiven = (clause: string, given: readonly Criterion[]): boolean =>
  given.some((one) => one.goal && one.clause?.toLowerCase() === clause.toLowerCase());

const tooMany = (count: number): { clause: string; reason: string } => ({
  clause: `${count} checks at once`,
  reason: `a task has at most ${MOST - 2} checks of its own; name a package, for example "make lint pass in packages/core"`,
});

type ClausePart = { criteria: Criterion[]; limits: Limit[]; uncovered: { clause: string; reason: string }[] };

/** A side clause only limits; what it says about checks is held by the guards. */
function partOf(clause: GoalClause, project: Project | null, harness: HarnessPackage): ClausePart {
  const part: ClausePart = { criteria: [], limits: [], uncovered: [] };
  for (const meaning of clause.meanings) {
    const template = harness.criteria.find(({ name }) => name === meaning.template);
    if (template === undefined)
      part.uncovered.push({ clause: clause.text, reason: `no criteria are known for "${meaning.template}"` });
    else if (template.use === 'limit') part.limits.push({ template, params: meaning.params });
    else if (!clause.side) addTo(part, { clause, meaning, template }, project);
  }
  return part;
}

type Wanted = { clause: GoalClause; meaning: Meaning; template: Exclude<CriteriaTemplate, { use: 'limit' }> };

function addTo(part: ClausePart, { clause, meaning, template }: Wanted, project: Project | null): void {
  if (template.use === 'nothing') return;
  if (template.use === 'check') {
    part.criteria.push(literalCriterion(template, meaning, clause));
    return;
  }
  const { scope, limit } = placeOf(clause, project);
  const { checks, missing } = selectChecks(project ?? EMPTY, { template, params: meaning.params, scope });
  part.limits.push(...limit);
  if (missing !== null) part.uncovered.push({ clause: clause.text, reason: missing });
  part.criteria.push(...checks.map((check) => ({ ...checkCriterion(check, clause.text), allows: template.allows })));
}

/** Where a clause is about: a folder with checks of its own, or one in which alone the change may be. */
function placeOf(clause: GoalClause, project: Project | null): { scope: string | null; limit: Limit[] } {
  const path = clause.meanings.find((one) => one.template === 'scope')?.params.path;
  if (path === undefined) return { scope: null, limit: [] };
  if (isChecked(project, path)) return { scope: path, limit: [] };
  return { scope: null, limit: [{ template: ONLY_THERE, params: { path } }] };
}

const isChecked = (project: Project | null, path: string): boolean =>
  (project?.checks ?? []).some(({ cwd }) => cwd === path || cwd.startsWith(`${path}/`));

/** A folder that has no checks of its own: the whole workspace's count, and only files there may change. */
const ONLY_THERE: Limit['template'] = {
  name: 'scope',
  use: 'limit',
  text: 'only ${path} changes',
  protect: [],
  forbid: [],
  allow: ['${path}', '${path}/**'],
  max_files: null,
};

const EMPTY: Project = {
  packages: [],
  checks: [],
  fixers: [],
  protected: { tests: [], config: [], scripts: [], lock: [] },
};

/** Tests may take five minutes, anything else two. */
function checkCriterion(check: ProjectCheck, clause: string | null): Criterion {
  const timeout_ms = check.kind === 'test' ? 300_000 : 120_000;
  return {
    id: slug(check.id),
    text: `${clause === null ? 'no new failure in' : 'passes:'} ${check.command}${check.cwd === '.' ? '' : ` (in ${check.cwd})`}`.slice(
      0,
      500,
    ),
    level: 'must',
    clause,
    goal: clause !== null,
    project_check: check.id,
    check: { kind: 'command', command: check.command, cwd: check.cwd, exit: 0, timeout_ms },
    allows: [],
  };
}

function literalCriterion(
  template: Extract<CriteriaTemplate, { use: 'check' }>,
  meaning: Meaning,
  clause: GoalClause,
): Criterion {
  return {
    id: slug([template.name, ...Object.values(meaning.params)].join('-')),
    text: filled(template.text, meaning.params),
    level: 'must',
    clause: clause.text,
    goal: true,
    project_check: null,
    check: filledCheck(template.check, meaning.params),
    allows: template.allows,
  };
}

function filledCheck(check: Check, params: Meaning['params']): Check {
  if (check.kind === 'command') return { ...check, command: filled(check.command, params) };
  if (check.kind === 'diff') return withGlobs(check, params);
  const path = filled(check.path, params);
  if (check.kind === 'schema') return { ...check, path };
  return check.matches === undefined ? { ...check, path } : { ...check, path, matches: filled(check.matches, params) };
}

const withGlobs = (check: DiffCheck, params: Meaning['params']): DiffCheck => ({
  ...check,
  forbid: check.forbid.map((glob) => String(filledJson(glob, params))),
  allow: check.allow.map((glob) => String(filledJson(glob, params))),
});

function byId(criteria: readonly Criterion[]): Criterion[] {
  const kept = new Map<string, Criterion>();
  for (const one of criteria) if (!kept.has(one.id)) kept.set(one.id, one);
  return [...kept.values()];
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 80) || 'check';
