// Which of a package's own scripts and targets are checks, and which repair something. The workspace's own scripts come first.
import type { CheckKind } from '#shared/contracts/frozen-tool.ts';
import type { Catalogue, ProjectCheck } from '#shared/contracts/project.ts';
import { asCheck, type Part } from './known-tools.ts';
import type { Manifest } from './manifests.ts';
import { inFolder } from './shell-text.ts';
import { type Context, unfold } from './unfold.ts';

/** A script or target with the single commands behind it; `command` is how it is run. */
export type Script = {
  dir: string;
  name: string;
  source: string;
  text: string;
  command: string;
  direct: boolean;
  parts: Part[];
};

/** A check and the commands it is made of. `derived`: made of a script that writes. */
export type FoundCheck = { check: ProjectCheck; parts: Part[]; derived: boolean };

/** Every script and target of a package. */
export function scriptsOf(manifest: Manifest, context: Context): Script[] {
  const scripts = Object.entries(manifest.scripts).map(([name, text]) => scriptOf({ name, text, manifest }, context));
  const targets = Object.entries(manifest.targets).map(([name, text]) => ({
    dir: manifest.dir,
    name,
    source: `target ${name}`,
    text,
    command: `make ${name}`,
    direct: false,
    parts: unfold(text, manifest.dir, context),
  }));
  return [...scripts, ...targets];
}

/** The check that a script is, or null: it is something else, or it writes and nothing is known about how to only look. */
export function checkIn(script: Script, catalogue: Catalogue): FoundCheck | null {
  const says = readName(script, catalogue);
  const known = script.parts.filter((part) => part.tool !== null && part.mode !== 'other');
  const command = says.ignored || !isUnderstood(script, says, known) ? null : lookingCommand(script, says);
  const covers = new Set([says.kind ?? [], known.flatMap((part) => part.tool?.covers ?? [])].flat());
  const [first] = covers;
  if (command === null || first === undefined) return null;
  const check: ProjectCheck = {
    id: inFolder(script.dir, script.name),
    kind: says.kind ?? first,
    covers: [...covers],
    command,
    cwd: script.dir,
    tools: [...new Set(known.map((part) => part.tool?.name ?? ''))],
    source: script.source,
    named: says.extra,
  };
  return { check, parts: script.parts, derived: script.parts.some((part) => part.mode === 'write') };
}

/** What a script's name says: its kind, whether it repairs or only looks, whether it is an extra or never a check. */
type Says = { kind: CheckKind | null; repairs: boolean; looks: boolean; extra: boolean; ignored: boolean };

function readName(script: Script, catalogue: Catalogue): Says {
  const words = wordsIn(script.name);
  const hasOneOf = (list: readonly string[]): boolean => words.some((word) => list.includes(word));
  return {
    kind: kindOf(words, catalogue),
    repairs: hasOneOf(catalogue.fix_words),
    looks: hasOneOf(catalogue.check_words) || /--?(check|dry-run|list|diff)\b/.test(script.text),
    extra: hasOneOf(catalogue.extra_words),
    ignored: hasOneOf(catalogue.ignored_words) || script.parts.every((part) => EMPTY.test(part.raw)),
  };
}

/** Commands that look at nothing: what consists of them proves nothing, whatever its name says. */
const EMPTY = /^(?:(?:echo|printf)(?: [^$`|<>]*)?|true|:|exit(?: \d+)?)?$/;

/** A script that says no kind must consist of known tools; an unknown one called `format` may well write. */
function isUnderstood(script: Script, says: Says, known: readonly Part[]): boolean {
  if (says.kind === null) return known.length > 0 && known.length === script.parts.length;
  return says.kind !== 'format' || known.length > 0 || says.looks;
}

/** The kind that a script's name says, if it says one. */
export function kindOf(words: readonly string[], catalogue: Catalogue): CheckKind | null {
  for (const word of words) {
    for (const kind of ['lint', 'format', 'types', 'test'] as const) {
      if (catalogue.script_words[kind].includes(word)) return kind;
    }
  }
  return null;
}

/** Words of a script name: `lint:fix` is `lint` and `fix`. */
export const wordsIn = (name: string): string[] => name.toLowerCase().split(/[:._/-]/);

type Named = { name: string; text: string; manifest: Manifest };

function scriptOf({ name, text, manifest }: Named, context: Context): Script {
  const { dir, manager, scripts } = manifest;
  const hooked = scripts[`pre${name}`] !== undefined || scripts[`post${name}`] !== undefined;
  const direct = !hooked && !text.includes('npm_');
  const whole = [scripts[`pre${name}`], text, scripts[`post${name}`]].filter((part) => part !== undefined);
  const parts = whole.flatMap((part) => unfold(part, dir, context));
  const command = direct ? text : `${manager} run ${name}`;
  return { dir, name, source: `script ${name}`, text, command, direct, parts };
}

/** The command without its writing parts' writing; null for a script that repairs and cannot be turned into a look. */
function lookingCommand(script: Script, says: Says): string | null {
  const writing = script.parts.filter((part) => part.mode === 'write');
  if (says.repairs && !(says.looks && writing.length === 0)) return null;
  const own = script.parts.filter((part) => part.cwd === script.dir && script.text.includes(part.raw));
  if (writing.some((part) => !own.includes(part) || asCheck(part) === null)) return null;
  if (writing.length === 0 && !script.direct) return script.command;
  return own.reduce((command, part) => command.replace(part.raw, () => asCheck(part) ?? part.raw), script.text);
}
