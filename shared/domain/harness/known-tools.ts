// Recognises the known tools of the catalogue in a command line, and turns a check into its repair and a repair into its check.
import type { Strength } from '#shared/contracts/frozen-tool.ts';
import type { Catalogue, KnownTool, Rewrite } from '#shared/contracts/project.ts';
import { beginsWith, hasOption, withoutOptions } from './shell-text.ts';

/** One command of a script. `mode`: it checks, it writes, or it is something else. `head`: what stands in front of the tool. */
export type Part = {
  raw: string;
  cwd: string;
  tool: KnownTool | null;
  words: string;
  head: string;
  mode: 'check' | 'write' | 'other';
};

/** Reads one command line. */
export function partOf(raw: string, cwd: string, catalogue: Catalogue): Part {
  const head = headOf(raw, catalogue.wrappers);
  const body = raw.slice(head.length);
  const found = catalogue.tools
    .flatMap((tool) => tool.words.filter((words) => beginsWith(body, words)).map((words) => ({ tool, words })))
    .sort((left, right) => right.words.length - left.words.length)[0];
  if (found === undefined) return { raw, cwd, tool: null, words: '', head, mode: 'other' };
  return { raw, cwd, tool: found.tool, words: found.words, head, mode: modeOf(body, found.tool) };
}

/** The part as a check: itself if it is one, rewritten if it writes, null if nothing is known about how. */
export function asCheck(part: Part): string | null {
  if (part.mode === 'check') return listing(part, part.raw);
  if (part.mode === 'other' || part.tool?.check == null) return null;
  return listing(part, rewritten(part, part.tool.check));
}

/** All failures must be listed, or those that come into view when others are gone look new. */
function listing({ tool }: Part, command: string): string {
  const option = tool?.lists ?? null;
  return option === null || hasOption(command, option.split('=')[0] ?? option) ? command : `${command} ${option}`;
}

/** The repairs known for a part, weakest first. */
export function repairsOf(part: Part): { strength: Strength; command: string }[] {
  return (part.tool?.fixes ?? []).map((fix) => ({ strength: fix.strength, command: rewritten(part, fix) }));
}

/** How strong a writing part is: strong when it has an option that only the tool's strong repair has. */
export function strengthOf(part: Part): Strength {
  const strong = part.tool?.fixes.find((fix) => fix.strength === 'strong')?.words.split(' ') ?? [];
  const safe = part.tool?.fixes.find((fix) => fix.strength === 'safe')?.words.split(' ') ?? [];
  const telling = strong.filter((word) => word.startsWith('-') && !safe.includes(word));
  return telling.some((option) => hasOption(part.raw, option)) ? 'strong' : 'safe';
}

function rewritten(part: Part, { words, drop }: Rewrite): string {
  const rest = part.raw.slice(part.head.length + part.words.length);
  const kept = withoutOptions(rest, drop);
  return `${part.head}${words}${kept === '' ? '' : ` ${kept}`}`;
}

function modeOf(body: string, tool: KnownTool): Part['mode'] {
  if (tool.writes.some((option) => hasOption(body, option))) return 'write';
  if (tool.checks.some((option) => hasOption(body, option))) return 'check';
  return tool.bare;
}

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=\S*\s+/;

/** Assignments and wrappers such as `NODE_ENV=test npx --no-install`. */
function headOf(raw: string, wrappers: readonly string[]): string {
  let head = '';
  for (;;) {
    const rest = raw.slice(head.length);
    const more = ASSIGNMENT.exec(rest)?.[0] ?? wrapperOf(rest, wrappers);
    if (more === '') return head;
    head += more;
  }
}

/** A wrapper that ends with `/` is a folder of commands and needs no space. */
function wrapperOf(rest: string, wrappers: readonly string[]): string {
  const longest = [...wrappers].sort((left, right) => right.length - left.length);
  const found = longest.find((wrapper) => rest.startsWith(wrapper.endsWith('/') ? wrapper : `${wrapper} `));
  if (found === undefined) return '';
  return found.endsWith('/') ? found : `${found} `;
}
