// Follows a script through the scripts it calls (npm run, yarn, make, workspaces, cd) down to single commands.
import type { Catalogue } from '#shared/contracts/project.ts';
import { type Part, partOf } from './known-tools.ts';
import type { Manifest } from './manifests.ts';
import { folderFrom, partsOf } from './shell-text.ts';

/** What unfolding knows: every package of the workspace and the known tools. */
export type Context = { manifests: readonly Manifest[]; catalogue: Catalogue };

/** A script that calls others deeper than this is taken as it is. */
const DEEPEST = 6;

/** Single commands of a script text in a folder; a text only a shell understands stays one part. */
export function unfold(text: string, dir: string, context: Context): Part[] {
  return walk({ text, dir, depth: 0 }, context);
}

type Step = { text: string; dir: string; depth: number };

function walk({ text, dir, depth }: Step, context: Context): Part[] {
  const lines = partsOf(text);
  if (lines === null || depth > DEEPEST) return [opaque(partOf(text, dir, context.catalogue))];
  return located(lines, dir).flatMap((line) => called({ ...line, depth: depth + 1 }, context));
}

/** Each line with the folder it runs in; `cd` lines are taken in. */
function located(lines: readonly string[], dir: string): Call[] {
  let cwd = dir;
  return lines.flatMap((text) => {
    const into = /^cd\s+(\S+)$/.exec(text);
    if (into === null) return [{ dir: cwd, text }];
    cwd = folderFrom(cwd, into[1] ?? '.') ?? cwd;
    return [];
  });
}

/** A pipeline is nobody's tool: it is run as it is and never rewritten. */
const opaque = (part: Part): Part => ({ ...part, tool: null, mode: 'other' });

function called(step: Step, context: Context): Part[] {
  const calls = callsIn(step, context);
  if (calls === null) return [partOf(step.text, step.dir, context.catalogue)];
  return calls.flatMap(({ dir, text }) => walk({ text, dir, depth: step.depth }, context));
}

type Call = { dir: string; text: string };

/** The scripts or targets that a command line runs, or null if it runs none that we can see. */
function callsIn({ text, dir }: Step, context: Context): Call[] | null {
  const made = /^make\s+(?:-s\s+)?(?:-C\s+(\S+)\s+)?([\w:-]+)$/.exec(text);
  if (made !== null) return targetCall(folderFrom(dir, made[1] ?? '.'), made[2] ?? '', context);
  const many = /^(?:run-s|run-p|npm-run-all)((?:\s+[\w:-]+)+)$/.exec(text);
  if (many !== null) return scriptCalls([dir], wordsOf(many[1]), context);
  return managerCall(text, dir, context);
}

const wordsOf = (text: string | undefined): string[] => (text ?? '').split(/\s+/).filter((word) => /^\w/.test(word));

const RUN = /^(?:npm|pnpm|yarn|bun)\s+(.*)$/;

function managerCall(text: string, dir: string, context: Context): Call[] | null {
  const line = RUN.exec(text)?.[1];
  if (line === undefined) return null;
  const { names, options } = readLine(line.split(/\s+/));
  const folders = options.reduce(
    (found: string[], [option, value]) => foldersFor(option, { value, dir, context }) ?? found,
    [dir],
  );
  const name = names[0] === 'run' || names[0] === 'run-script' ? names[1] : names[0];
  const calls = name === undefined ? null : scriptCalls(folders, [name === 't' ? 'test' : name], context);
  const mayBeNone = options.some(([option]) => option === '--if-present');
  return name !== undefined && calls === null && mayBeNone ? [] : calls;
}

/** Names and options of a package manager's command line, up to `--`. */
function readLine(words: readonly string[]): { names: string[]; options: [string, string][] } {
  const names: string[] = [];
  const options: [string, string][] = [];
  const line = words.join(' ').replace(/ -- .*$/, '');
  for (const [, valued, value, flag, name] of line.matchAll(LINE)) {
    if (name !== undefined) names.push(name);
    else options.push([valued ?? flag ?? '', value ?? '']);
  }
  return { names, options };
}

/** An option with its value (behind `=`, or behind a space for those that take one), or a name. */
const LINE = /(?<=^| )(?:(--workspace|-w|--prefix|-C|--filter)[= ](\S+)|(-[^\s=]+)(?:=\S*)?|([^\s-]\S*))/g;

const EVERYWHERE = new Set(['--workspaces', '-ws', '-r', '--recursive']);

type Where = { value: string; dir: string; context: Context };

function foldersFor(option: string, { value, dir, context }: Where): string[] | null {
  const members = context.manifests.filter((manifest) => manifest.dir !== '.').map((manifest) => manifest.dir);
  if (EVERYWHERE.has(option)) return members;
  if (option === '--prefix' || option === '-C') return [folderFrom(dir, value) ?? dir];
  if (value === '') return null;
  return members.filter((member) => member === value || member.endsWith(`/${value.replace(/^@[^/]+\//, '')}`));
}

function scriptCalls(folders: readonly string[], names: readonly string[], context: Context): Call[] | null {
  const calls = folders.flatMap((dir) =>
    names.flatMap((name) => {
      const scripts = context.manifests.find((manifest) => manifest.dir === dir)?.scripts ?? {};
      return [`pre${name}`, name, `post${name}`].flatMap((one) => (scripts[one] ? [{ dir, text: scripts[one] }] : []));
    }),
  );
  return calls.length === 0 ? null : calls;
}

function targetCall(dir: string | null, name: string, context: Context): Call[] | null {
  const text = context.manifests.find((manifest) => manifest.dir === dir)?.targets[name];
  return text === undefined || dir === null ? null : [{ dir, text }];
}
