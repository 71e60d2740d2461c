// Judges the change itself: limits, and nothing protected edited to get green (requirements section 3).
import type { CheckResult, CheckRun, Criterion, DiffCheck, ProtectedKind } from '#shared/contracts/criterion.ts';
import type { Project, ProtectedFiles } from '#shared/contracts/project.ts';
import type { ChangeSet, FileChange } from '#shared/contracts/workspace.ts';
import { firstMatch } from '../glob.ts';
import { sameMeaning } from './same-meaning.ts';
import { switchedOff } from './switched-off.ts';

/** `changes` null: nothing was changed. `before`: runs on the untouched tree. Without a project what every workspace has is protected. */
export type DiffContext = {
  changes: ChangeSet | null;
  before: readonly CheckRun[];
  project: Pick<Project, 'protected'> | null;
};

/** A diff criterion's result; the reason lists every file that breaks it. An empty change breaks nothing. */
export function judgeDiff(criterion: Criterion, context: DiffContext): CheckResult {
  const broken = brokenBy(criterion, context);
  return {
    criterion: criterion.id,
    level: criterion.level,
    result: broken.length === 0 ? 'met' : 'unmet',
    before: 'pass',
    new_failures: broken.slice(0, 50).map((line) => line.slice(0, 300)),
    red_before: [],
    reason: broken.length === 0 ? 'the change keeps to its limits' : broken.slice(0, 5).join('; ').slice(0, 900),
    evidence: [],
  };
}

function brokenBy(criterion: Criterion, context: DiffContext): string[] {
  const { check } = criterion;
  if (check.kind !== 'diff') return ['this criterion is not about the change'];
  const files = context.changes?.files ?? [];
  return [...sizes(check, files), ...files.flatMap((file) => breaks(file, { check, criterion, context }))];
}

/** Where no harness says what is protected. */
const ALWAYS_PROTECTED: ProtectedFiles = {
  tests: ['**/*.test.*', '**/*.spec.*', '**/test/**', '**/tests/**', '**/__tests__/**', '**/test_*.py', '**/*_test.*'],
  config: [
    '**/*.config.*',
    '**/.*rc',
    '**/.*rc.*',
    '**/biome.json',
    '**/tsconfig*.json',
    '**/pyproject.toml',
    '**/.github/**',
  ],
  scripts: ['**/package.json', '**/Makefile'],
  lock: ['**/package-lock.json', '**/*.lock', '**/pnpm-lock.yaml'],
};

function sizes(check: DiffCheck, files: readonly FileChange[]): string[] {
  const lines = files.reduce((sum, file) => sum + changedLines(file), 0);
  return [
    ...(check.max_files !== undefined && files.length > check.max_files
      ? [`${files.length} files change, at most ${check.max_files} may`]
      : []),
    ...(check.max_lines !== undefined && lines > check.max_lines
      ? [`${lines} lines change, at most ${check.max_lines} may`]
      : []),
  ];
}

/** Lines on either side that the other side does not have. */
function changedLines({ before, after }: FileChange): number {
  const left = (before?.text ?? '').split('\n');
  const right = (after?.text ?? '').split('\n');
  return missingFrom(left, right) + missingFrom(right, left);
}

function missingFrom(lines: readonly string[], others: readonly string[]): number {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const rest = left.get(line) ?? 0;
    left.set(line, rest - 1);
    return rest <= 0;
  }).length;
}

type Rules = { check: DiffCheck; criterion: Criterion; context: DiffContext };

function breaks(file: FileChange, { check, criterion, context }: Rules): string[] {
  if (firstMatch(check.forbid, file.path) !== null) return [`${file.path} must stay as it is`];
  if (check.allow.length > 0 && firstMatch(check.allow, file.path) === null)
    return [`${file.path} is outside ${check.allow.join(', ')}`];
  const kind = protectedAs(file.path, context.project?.protected ?? ALWAYS_PROTECTED);
  if (kind !== null && !criterion.allows.includes(kind))
    return protectedBreak(file, kind, { check, criterion, context });
  const off = criterion.allows.includes('config') ? [] : switchedOff(file);
  return off.map((what) => `${file.path} switches a check off: ${what}`);
}

function protectedAs(path: string, files: ProtectedFiles): ProtectedKind | null {
  const kinds = ['lock', 'scripts', 'config', 'tests'] as const;
  return kinds.find((kind) => firstMatch(files[kind], path) !== null) ?? null;
}

const SAID: Readonly<Record<ProtectedKind, string>> = {
  tests: 'a test',
  config: 'configuration',
  scripts: 'a script',
  lock: 'a lock file',
};

function protectedBreak(file: FileChange, kind: ProtectedKind, { check, context }: Rules): string[] {
  if (sameMeaning(file)) return [];
  const verb = { added: 'adds', deleted: 'deletes', edited: 'edits' }[howChanged(file)];
  const broken = [`${file.path}: the change ${verb} ${SAID[kind]}`];
  if (kind !== 'tests' || !check.fix_tests || howChanged(file) !== 'edited') return broken;
  if (check.frozen_if_red.some((id) => !passed(id, context.before))) return [`${broken[0] ?? ''} while tests were red`];
  return switchedOff(file).map((what) => `${file.path} switches a test off: ${what}`);
}

/** Not known to have passed counts as red. */
const passed = (id: string, runs: readonly CheckRun[]): boolean =>
  runs.some((run) => run.criterion === id && run.outcome === 'pass');

function howChanged({ before, after }: FileChange): 'added' | 'deleted' | 'edited' {
  if (before === null) return 'added';
  return after === null ? 'deleted' : 'edited';
}
