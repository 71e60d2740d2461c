// Checkable acceptance criteria, one run of one of them, and what was judged from the runs (L2-EVL-03; requirements section 3).
import * as z from 'zod';
import { Glob } from './policy.ts';
import { WorkspacePath } from './workspace.ts';

/** `.` or a folder inside the workspace. */
export const Folder = z.union([z.literal('.'), WorkspacePath]);

/** What of a workspace may not be edited to get green, unless a criterion allows it. */
export const PROTECTED = ['tests', 'config', 'scripts', 'lock'] as const;
export const ProtectedKind = z.enum(PROTECTED);
export type ProtectedKind = z.infer<typeof ProtectedKind>;

/** A shell command and the exit code that counts as a pass. */
export const CommandCheck = z.strictObject({
  kind: z.literal('command'),
  command: z.string().min(1).max(4000),
  cwd: Folder.default('.'),
  exit: z.int().min(0).max(255).default(0),
  timeout_ms: z.int().min(100).max(3_600_000).default(120_000),
});
export type CommandCheck = z.infer<typeof CommandCheck>;

/** A file that must exist (or must not), and a JavaScript regular expression (flag `m`) its text must match. */
export const FileCheck = z.strictObject({
  kind: z.literal('file'),
  path: WorkspacePath,
  exists: z.boolean().default(true),
  matches: z.string().min(1).max(1000).refine(isPattern, { message: 'not a valid regular expression' }).optional(),
});
export type FileCheck = z.infer<typeof FileCheck>;

/** A JSON or YAML file and the JSON schema it must satisfy. */
export const SchemaCheck = z.strictObject({
  kind: z.literal('schema'),
  path: WorkspacePath,
  schema: z.record(z.string(), z.json()),
});
export type SchemaCheck = z.infer<typeof SchemaCheck>;

/**
 * Limits on the change itself. `allow` empty means everywhere. `fix_tests`: fixers may edit test files, never delete them or switch tests
 * off; not even that while a check named in `frozen_if_red` (ids of criteria) was red before the work.
 */
export const DiffCheck = z.strictObject({
  kind: z.literal('diff'),
  max_files: z.int().min(0).optional(),
  max_lines: z.int().min(0).optional(),
  forbid: z.array(Glob).max(64).default([]),
  allow: z.array(Glob).max(64).default([]),
  fix_tests: z.boolean().default(false),
  frozen_if_red: z.array(z.string()).max(64).default([]),
});
export type DiffCheck = z.infer<typeof DiffCheck>;

/** How a criterion is checked: always mechanically. */
export const Check = z.discriminatedUnion('kind', [CommandCheck, FileCheck, SchemaCheck, DiffCheck]);
export type Check = z.infer<typeof Check>;

/**
 * One acceptance criterion. `clause`: the clause of the goal it covers, null for a guard; `goal`: the goal's own check, which must
 * pass (a guard must only not get worse); `project_check`: the workspace's check it stands for; `allows`: protected things it lets change.
 */
export const Criterion = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,79}$/, 'an id is 1 to 80 of a-z, 0-9, ".", "_" and "-"'),
  text: z.string().min(1).max(500),
  level: z.enum(['must', 'should']).default('must'),
  clause: z.string().max(1000).nullable().default(null),
  goal: z.boolean().default(false),
  project_check: z.string().max(120).nullable().default(null),
  check: Check,
  allows: z.array(ProtectedKind).max(4).default([]),
});
export type Criterion = z.infer<typeof Criterion>;

/** One run of one criterion on one tree. `error`: it could not be run (no such command, timeout), which is never a pass. */
export const CheckRun = z.strictObject({
  criterion: z.string(),
  outcome: z.enum(['pass', 'fail', 'error']),
  failures: z.array(z.string().max(300)).max(200),
  evidence: z.string().nullable(),
  tree: z.string(),
});
export type CheckRun = z.infer<typeof CheckRun>;

/** What was judged of one criterion. `red_before`: failures of before the work, those that are still there if it fails. */
export const CheckResult = z.strictObject({
  criterion: z.string(),
  level: z.enum(['must', 'should']),
  result: z.enum(['met', 'unmet', 'flaky', 'unchecked']),
  before: z.enum(['pass', 'fail', 'unknown']),
  new_failures: z.array(z.string().max(300)).max(50),
  red_before: z.array(z.string().max(300)).max(50),
  reason: z.string().max(1000),
  evidence: z.array(z.string()).max(16),
});
export type CheckResult = z.infer<typeof CheckResult>;

const given = {
  id: z.string().min(1).max(80).optional(),
  text: z.string().min(1).max(500).optional(),
  level: z.enum(['must', 'should']).optional(),
  clause: z.string().min(1).max(1000).optional(),
  allows: z.array(ProtectedKind).max(4).optional(),
};

/** Blanks and comments run nothing and exit with 0: what checks nothing never passes (requirements section 3). */
const GivenCommand = z
  .string()
  .max(4000)
  .regex(/^\s*[^\s#]/m, 'a command that runs nothing checks nothing');

/** How a person writes a criterion in a `--criteria` file: a command on its own, or an entry that names its kind by its first field. */
export const GivenCriterion = z.union([
  GivenCommand,
  z.strictObject({
    ...given,
    command: GivenCommand,
    cwd: Folder.optional(),
    exit: z.int().min(0).max(255).optional(),
    timeout: z
      .string()
      .regex(/^\d+(ms|s|m)$/, 'a time such as "30s", "2m" or "500ms"')
      .optional(),
  }),
  z.strictObject({
    ...given,
    file: WorkspacePath,
    exists: z.boolean().optional(),
    matches: FileCheck.shape.matches,
  }),
  z.strictObject({ ...given, schema: z.record(z.string(), z.json()), path: WorkspacePath }),
  z.strictObject({ ...given, diff: DiffCheck.omit({ kind: true, fix_tests: true, frozen_if_red: true }).partial() }),
]);
export type GivenCriterion = z.infer<typeof GivenCriterion>;

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'm');
    return true;
  } catch {
    return false;
  }
}
