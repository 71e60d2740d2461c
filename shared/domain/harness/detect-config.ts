// Checks of known tools that a package configures but no script of it runs.
import type { Catalogue, KnownTool, ProjectCheck } from '#shared/contracts/project.ts';
import { firstMatch } from '../glob.ts';
import type { FoundCheck } from './detect-scripts.ts';
import { asCheck, partOf } from './known-tools.ts';
import type { Manifest } from './manifests.ts';
import { inFolder } from './shell-text.ts';

/** Where checks are looked for: one package with the files near it, the root above it, and the kinds that scripts check already. */
export type Place = {
  manifest: Manifest;
  root: Manifest | null;
  near: readonly string[];
  covered: ReadonlySet<string>;
};

/** One check per configured tool all of whose kinds are unchecked; the first tool of the catalogue wins a kind. */
export function configuredChecks(place: Place, catalogue: Catalogue): FoundCheck[] {
  const covered = new Set(place.covered);
  const found: FoundCheck[] = [];
  for (const tool of catalogue.tools) {
    const [kind] = tool.covers;
    const free = tool.covers.every((one) => !(tool.beside ? place.covered : covered).has(one));
    if (kind === undefined || !free || tool.default_command === null || !isUsed(tool, place)) continue;
    for (const one of tool.covers) covered.add(one);
    found.push(foundCheck(tool, { kind, command: tool.default_command, dir: place.manifest.dir }, catalogue));
  }
  return found;
}

function isUsed(tool: KnownTool, { manifest, root, near }: Place): boolean {
  const inFiles = near.some((path) => firstMatch(tool.config, path) !== null);
  const configured = inFiles || tool.sections.some((one) => manifest.sections.has(one));
  if (!configured || tool.declared.length === 0) return configured;
  return tool.declared.some((name) => declares(manifest, name) || (root !== null && declares(root, name)));
}

const declares = (manifest: Manifest, name: string): boolean =>
  manifest.declared.has(name) || new RegExp(`(^|[^\\w@/-])${name}($|[^\\w-])`, 'm').test(pythonText(manifest));

/** Python manifests name their dependencies in free text; package.json's were parsed. */
const pythonText = (manifest: Manifest): string => (manifest.declared.size > 0 ? '' : manifest.text);

type Chosen = { kind: ProjectCheck['kind']; command: string; dir: string };

function foundCheck(tool: KnownTool, { kind, command, dir }: Chosen, catalogue: Catalogue): FoundCheck {
  const part = partOf(command, dir, catalogue);
  const check: ProjectCheck = {
    id: inFolder(dir, tool.name),
    kind,
    covers: tool.covers,
    command: asCheck(part) ?? command,
    cwd: dir,
    tools: [tool.name],
    source: 'config',
    named: false,
  };
  return { check, parts: [part], derived: false };
}
