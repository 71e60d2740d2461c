// What was found in a workspace: its packages, its own checks, fixers for them, and what is protected; and the catalogue
// of known tools that finding it needs (plain data in a harness package).
import * as z from 'zod';
import { Folder } from './criterion.ts';
import { CheckKind, Strength } from './frozen-tool.ts';
import { Glob } from './policy.ts';

/** A folder with a manifest. `manager` is what runs its scripts. */
export const ProjectPackage = z.strictObject({
  dir: Folder,
  manager: z.string(),
  scripts: z.record(z.string(), z.string()),
});
export type ProjectPackage = z.infer<typeof ProjectPackage>;

/** `named`: used only if the goal names it (it is made of others, or is an extra such as end-to-end tests). `covers`: all kinds it checks. */
export const ProjectCheck = z.strictObject({
  id: z.string(),
  kind: CheckKind,
  covers: z.array(CheckKind).min(1),
  command: z.string(),
  cwd: Folder,
  tools: z.array(z.string()),
  source: z.string().describe('"script lint", "target lint" or "config"'),
  named: z.boolean(),
});
export type ProjectCheck = z.infer<typeof ProjectCheck>;

/** A command that repairs what a check complains about. */
export const ProjectFixer = z.strictObject({
  check: z.string(),
  kind: CheckKind,
  strength: Strength,
  command: z.string(),
  cwd: Folder,
  tool: z.string(),
});
export type ProjectFixer = z.infer<typeof ProjectFixer>;

/** Globs of what may not be edited to get green. */
export const ProtectedFiles = z.strictObject({
  tests: z.array(Glob),
  config: z.array(Glob),
  scripts: z.array(Glob),
  lock: z.array(Glob),
});
export type ProtectedFiles = z.infer<typeof ProtectedFiles>;

export const Project = z.strictObject({
  packages: z.array(ProjectPackage),
  checks: z.array(ProjectCheck),
  fixers: z.array(ProjectFixer),
  protected: ProtectedFiles,
});
export type Project = z.infer<typeof Project>;

/** How a fixer is made from a check's command: leave these options out, put these words in place of the tool's own. */
export const Rewrite = z.strictObject({ words: z.string(), drop: z.array(z.string()).default([]) });
export type Rewrite = z.infer<typeof Rewrite>;

/**
 * A known tool. `words`: how a command line of it begins (`biome check`). Whether such a line checks or writes: `writes` and `checks` are
 * the options that say so, `bare` is what it does without any. `check` turns a writing line into a check, `fixes` a check into a repair.
 * `config`, `sections` (tables of pyproject.toml, fields of package.json) and `declared` (names in manifests) say that a package uses it
 * where no script does; it is run as `default_command` then, also `beside` another configured tool of the same kind. `lists`: the option without which it leaves out failures beyond a number.
 */
export const KnownTool = z.strictObject({
  name: z.string(),
  words: z.array(z.string()).min(1),
  covers: z.array(CheckKind).min(1),
  writes: z.array(z.string()).default([]),
  checks: z.array(z.string()).default([]),
  bare: z.enum(['check', 'write', 'other']).default('check'),
  check: Rewrite.nullable().default(null),
  fixes: z.array(Rewrite.extend({ strength: Strength })).default([]),
  config: z.array(Glob).default([]),
  sections: z.array(z.string()).default([]),
  declared: z.array(z.string()).default([]),
  default_command: z.string().nullable().default(null),
  beside: z.boolean().default(false),
  lists: z.string().nullable().default(null),
});
export type KnownTool = z.infer<typeof KnownTool>;

/** Words by which scripts and targets are understood. */
export const Catalogue = z.strictObject({
  tools: z.array(KnownTool),
  wrappers: z.array(z.string()).describe('runners in front of a tool, such as "npx" or "poetry run"'),
  script_words: z.record(CheckKind, z.array(z.string())),
  fix_words: z.array(z.string()).describe('parts of a script name that say it writes'),
  extra_words: z.array(z.string()).describe('parts of a script name that make it an extra, used only when named'),
  ignored_words: z.array(z.string()).describe('parts of a script name that are never a check: watch, deploy, …'),
  check_words: z.array(z.string()).describe('parts of a script name that say it only looks'),
  manifests: z.array(z.string()),
  ignored_folders: z.array(z.string()),
  protected: ProtectedFiles,
});
export type Catalogue = z.infer<typeof Catalogue>;
