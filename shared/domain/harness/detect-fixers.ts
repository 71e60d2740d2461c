// What can repair a check: the workspace's own fixing scripts first, then what the catalogue knows about its tools.
import type { CheckKind } from '#shared/contracts/frozen-tool.ts';
import type { Catalogue, ProjectFixer } from '#shared/contracts/project.ts';
import { type FoundCheck, kindOf, type Script, wordsIn } from './detect-scripts.ts';
import { repairsOf, strengthOf } from './known-tools.ts';

/** Fixers of a check, own scripts before derived ones; a derived one is left out where an own one does the same with the same tool. */
export function fixersOf(found: FoundCheck, scripts: readonly Script[], catalogue: Catalogue): ProjectFixer[] {
  const own = scripts.flatMap((script) => ownFixer(found, script, catalogue));
  const derived = derivedFixers(found).filter(
    (fixer) => !own.some((one) => one.tool === fixer.tool && one.strength === fixer.strength),
  );
  return [...own, ...derived];
}

function ownFixer({ check, parts }: FoundCheck, script: Script, catalogue: Catalogue): ProjectFixer[] {
  const kind = repairedKind(script, catalogue);
  if (kind === null || script.dir !== check.cwd || !check.covers.includes(kind)) return [];
  const tools = script.parts.map((part) => part.tool?.name ?? script.name);
  const related = parts.some((part) => part.tool === null || tools.includes(part.tool.name));
  if (!related) return [];
  const strong = script.parts.some((part) => strengthOf(part) === 'strong');
  const strength = strong ? 'strong' : 'safe';
  return [{ check: check.id, kind, strength, command: script.command, cwd: script.dir, tool: tools[0] ?? script.name }];
}

/** What a script repairs: it writes with known tools only, or its name says that it fixes a kind of check. */
function repairedKind(script: Script, catalogue: Catalogue): CheckKind | null {
  const words = wordsIn(script.name);
  if (words.some((word) => catalogue.ignored_words.includes(word))) return null;
  const kind = kindOf(words, catalogue);
  const writes = script.parts.length > 0 && script.parts.every((part) => part.mode === 'write');
  if (writes) return kind ?? script.parts[0]?.tool?.covers[0] ?? null;
  const unknown = script.parts.every((part) => part.tool === null);
  return unknown && words.some((word) => catalogue.fix_words.includes(word)) ? kind : null;
}

function derivedFixers({ check, parts }: FoundCheck): ProjectFixer[] {
  return parts.flatMap((part) =>
    repairsOf(part).map(({ strength, command }) => ({
      check: check.id,
      kind: part.tool?.covers[0] ?? check.kind,
      strength,
      command,
      cwd: part.cwd,
      tool: part.tool?.name ?? '',
    })),
  );
}
