// What a workspace can check about itself and how that can be repaired, read from its own files (L2-PLN-02).
import type { Catalogue, Project, ProjectCheck, ProtectedFiles } from '#shared/contracts/project.ts';
import { configuredChecks } from './detect-config.ts';
import { fixersOf } from './detect-fixers.ts';
import { checkIn, type FoundCheck, type Script, scriptsOf } from './detect-scripts.ts';
import type { Part } from './known-tools.ts';
import { filesNear, type Manifest, manifestsOf, type ProjectFiles } from './manifests.ts';
import { folderFrom } from './shell-text.ts';

export { type ProjectFiles, wantedFiles } from './manifests.ts';

/** Packages, checks, fixers and protected files. Pure: nothing is run, so a tool that is named but not installed is found too. */
export function detectProject(files: ProjectFiles, catalogue: Catalogue): Project {
  const manifests = manifestsOf(files, catalogue);
  const context = { manifests, catalogue };
  const scripts = manifests.flatMap((manifest) => scriptsOf(manifest, context));
  const written = withoutDoubles(scripts.flatMap((script) => checkIn(script, catalogue) ?? []));
  const root = manifests.find((manifest) => manifest.dir === '.') ?? null;
  const configured = manifests.flatMap((manifest) =>
    configuredChecks(
      { manifest, root, near: filesNear(files, manifest.dir), covered: coveredIn(manifest, written) },
      catalogue,
    ),
  );
  const found = withoutRepeats([...written, ...configured]);
  return {
    packages: manifests.map(({ dir, manager, scripts: own }) => ({ dir, manager, scripts: { ...own } })),
    checks: found.map((one) => one.check),
    fixers: found.flatMap((one) => fixersOf(one, scripts, catalogue)),
    protected: protectedFiles(found, scripts, { files, catalogue }),
  };
}

/** A look made of a writing script is not needed where a script looks with the same tool. */
function withoutDoubles(found: readonly FoundCheck[]): FoundCheck[] {
  const looks = found.filter((one) => !one.derived);
  return found.filter(({ derived, check }) => {
    const same = looks.filter((other) => other.check.cwd === check.cwd && other.check.kind === check.kind);
    return !derived || !same.some((other) => check.tools.every((tool) => other.check.tools.includes(tool)));
  });
}

/** Kinds that some script checks in this package, in the root above it or in the members below it. */
function coveredIn({ dir }: Manifest, written: readonly FoundCheck[]): Set<string> {
  const here = (cwd: string): boolean => cwd === dir || cwd === '.' || dir === '.' || cwd.startsWith(`${dir}/`);
  const near = written.filter((one) => here(one.check.cwd) || one.parts.some((part) => here(part.cwd)));
  return new Set(near.flatMap((one) => one.check.covers));
}

const keyOf = (part: Part): string => `${part.cwd} ${part.raw}`;

/** A check whose every command is part of smaller ones is used only when a goal names it; the order of the checks stays. */
function withoutRepeats(found: readonly FoundCheck[]): FoundCheck[] {
  const seen = new Set<string>();
  const repeats = new Set<FoundCheck>();
  const smallestFirst = [...found].sort((left, right) => left.parts.length - right.parts.length);
  for (const one of smallestFirst.filter(({ check }) => !check.named)) {
    if (one.parts.length > 0 && one.parts.every((part) => seen.has(keyOf(part)))) repeats.add(one);
    for (const part of one.parts) seen.add(keyOf(part));
  }
  return found.map((one) => (repeats.has(one) ? { ...one, check: { ...one.check, named: true } } : one));
}

type Sources = { files: ProjectFiles; catalogue: Catalogue };

/** The catalogue's globs, and the files of the workspace that its checks run as programs. */
function protectedFiles(found: readonly FoundCheck[], scripts: readonly Script[], sources: Sources): ProtectedFiles {
  const { tests, config, scripts: named, lock } = sources.catalogue.protected;
  const parts = [...found, ...scripts.filter((script) => isCheck(script, found))].flatMap((one) => one.parts);
  const programs = parts.flatMap((part) => programOf(part) ?? []).filter((path) => sources.files.paths.includes(path));
  return { tests, config, scripts: [...named, ...new Set(programs)], lock };
}

const isCheck = (script: Script, found: readonly FoundCheck[]): boolean =>
  found.some(({ check }: { check: ProjectCheck }) => check.source === script.source && check.cwd === script.dir);

const PROGRAM = /^(?:(?:node|tsx|python3?|sh|bash)\s+(?:-\S+\s+)*)?(\.?[\w@/.-]+\.(?:[cm]?[jt]s|py|sh))(?:\s|$)/;

/** The file that a command line runs: `node scripts/lint.js`, `./check.sh`. */
function programOf(part: Part): string | null {
  const path = PROGRAM.exec(part.raw.slice(part.head.length))?.[1];
  return path === undefined ? null : folderFrom(part.cwd, path);
}
