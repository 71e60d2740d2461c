// A change set as the patch text that `git apply` accepts, and its line counts (for people, diff limits and reviews).
import { structuredPatch } from 'diff';
import type { ChangeSet, FileChange, FileMode, FileState } from '#shared/contracts/workspace.ts';
import { stateBytes } from '#shared/domain/change-set.ts';
import { gitBlobName } from '#shared/domain/digest.ts';
import { binaryLiteral } from '#shared/domain/patch-binary.ts';

/** Git-format patch. A rename is a delete and an add; a file that becomes a link (or the reverse) is two entries. */
export function toPatch(changes: ChangeSet): string {
  return changes.files.flatMap(splitTypeChange).map(filePatch).join('');
}

/** Lines added and removed over all text files; binary files are counted, their lines are not. */
export function diffLines(changes: ChangeSet): { files: number; added: number; removed: number; binary: number } {
  const text = changes.files.filter((change) => !isBinary(change));
  const lines = text.flatMap(hunks).flatMap((hunk) => hunk.lines);
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  const binary = changes.files.length - text.length;
  return { files: changes.files.length, added: count('+'), removed: count('-'), binary };
}

const GIT_MODE: Readonly<Record<FileMode, string>> = { file: '100644', exec: '100755', link: '120000' };
const NOTHING = '0'.repeat(40);

/** Beyond this many edits a minimal diff costs more than it tells: the file is shown as replaced whole. */
const MAX_EDITS = 1000;

function splitTypeChange(change: FileChange): FileChange[] {
  const { path, before, after } = change;
  if (before === null || after === null || (before.mode === 'link') === (after.mode === 'link')) return [change];
  return [
    { path, before, after: null },
    { path, before: null, after },
  ];
}

function filePatch(change: FileChange): string {
  const lines = [`diff --git ${quote(`a/${change.path}`)} ${quote(`b/${change.path}`)}`, ...modeLines(change)];
  if (change.before?.sha256 !== change.after?.sha256) lines.push(indexLine(change), ...bodyLines(change));
  return `${lines.join('\n')}\n`;
}

function modeLines({ before, after }: FileChange): string[] {
  if (before === null) return after === null ? [] : [`new file mode ${GIT_MODE[after.mode]}`];
  if (after === null) return [`deleted file mode ${GIT_MODE[before.mode]}`];
  if (before.mode === after.mode) return [];
  return [`old mode ${GIT_MODE[before.mode]}`, `new mode ${GIT_MODE[after.mode]}`];
}

function indexLine({ before, after }: FileChange): string {
  const mode = before !== null && before.mode === after?.mode ? ` ${GIT_MODE[before.mode]}` : '';
  return `index ${blobName(before)}..${blobName(after)}${mode}`;
}

function blobName(state: FileState | null): string {
  return state === null ? NOTHING : gitBlobName(stateBytes(state));
}

function bodyLines(change: FileChange): string[] {
  const { path, before, after } = change;
  if (isBinary(change)) return ['GIT binary patch', ...literal(after), ...literal(before)];
  const body = hunks(change).flatMap((hunk) => [
    `@@ -${span(hunk.oldStart, hunk.oldLines)} +${span(hunk.newStart, hunk.newLines)} @@`,
    ...hunk.lines,
  ]);
  if (body.length === 0) return [];
  return [`--- ${side('a', before === null ? null : path)}`, `+++ ${side('b', after === null ? null : path)}`, ...body];
}

function literal(state: FileState | null): string[] {
  return [...binaryLiteral(state === null ? new Uint8Array() : stateBytes(state)), ''];
}

function span(start: number, lines: number): string {
  return lines === 1 ? `${start}` : `${start},${lines}`;
}

/** Git ends a name with a tab when it holds a space, so that what follows cannot be taken for a date. */
function side(prefix: string, path: string | null): string {
  if (path === null) return '/dev/null';
  const name = quote(`${prefix}/${path}`);
  return name.includes(' ') ? `${name}\t` : name;
}

function isBinary({ before, after }: FileChange): boolean {
  return before?.base64 !== undefined || after?.base64 !== undefined;
}

type Hunk = { oldStart: number; oldLines: number; newStart: number; newLines: number; lines: string[] };

function hunks({ before, after }: FileChange): Hunk[] {
  const [old, fresh] = [before?.text ?? '', after?.text ?? ''];
  const patch = structuredPatch('a', 'b', old, fresh, '', '', { context: 3, maxEditLength: MAX_EDITS });
  return patch?.hunks ?? [wholeFile(old, fresh)];
}

function wholeFile(old: string, fresh: string): Hunk {
  const [removed, added] = [marked('-', old), marked('+', fresh)];
  const count = (lines: string[]) => lines.filter((line) => !line.startsWith('\\')).length;
  return {
    oldStart: removed.length === 0 ? 0 : 1,
    oldLines: count(removed),
    newStart: added.length === 0 ? 0 : 1,
    newLines: count(added),
    lines: [...removed, ...added],
  };
}

function marked(mark: string, text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n').map((line) => mark + line);
  if (text.endsWith('\n')) return lines.slice(0, -1);
  return [...lines, '\\ No newline at end of file'];
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '"': '\\"', '\\': '\\\\' };

/** C-style quoting, only where git needs it; other characters stay as UTF-8. */
function quote(path: string): string {
  const escaped = path.replace(/[\p{Cc}"\\]/gu, (char) => {
    return ESCAPES[char] ?? `\\${(char.codePointAt(0) ?? 0).toString(8).padStart(3, '0')}`;
  });
  return escaped === path ? path : `"${escaped}"`;
}
