// Patch text: real git applies it to the base and gets exactly the other side; counts are those of the patch.
import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { FileChange, FileState } from '#shared/contracts/workspace.ts';
import { changeSet, fileState, stateBytes } from '#shared/domain/change-set.ts';
import { diffLines, toPatch } from '#shared/domain/patch.ts';

const BASE = 'b'.repeat(64);
const hasGit = spawnSync('git', ['--version']).status === 0;
const scratch = mkdtempSync(join(tmpdir(), 'hca-patch-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const text = (content: string, mode: FileState['mode'] = 'file') => fileState(new TextEncoder().encode(content), mode);

function lay(folder: string, path: string, state: FileState | null): void {
  if (state === null) return;
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  if (state.mode === 'link') symlinkSync(state.text ?? '', join(folder, path));
  else writeFileSync(join(folder, path), stateBytes(state), { mode: state.mode === 'exec' ? 0o755 : 0o644 });
}

function found(folder: string, path: string): FileState | null {
  const at = join(folder, path);
  const stat = lstatSync(at, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (stat.isSymbolicLink()) return text(readlinkSync(at), 'link');
  return fileState(readFileSync(at), stat.mode & 0o100 ? 'exec' : 'file');
}

function applyWithGit(files: FileChange[]): (FileState | null)[] {
  const folder = mkdtempSync(join(scratch, 'w-'));
  for (const file of files) lay(folder, file.path, file.before);
  const set = changeSet(BASE, files);
  const run = spawnSync('git', ['apply', '--whitespace=nowarn', '-'], {
    cwd: folder,
    input: toPatch(set),
    encoding: 'utf8',
  });
  expect(run.stderr).toBe('');
  expect(run.status).toBe(0);
  return files.map((file) => found(folder, file.path));
}

describe('toPatch', () => {
  const cases: [string, FileChange][] = [
    ['an edit', { path: 'src/a.ts', before: text('a\nb\nc\n'), after: text('a\nB\nc\n') }],
    ['an addition', { path: 'new/deep/b.txt', before: null, after: text('x\ny\n') }],
    ['an empty addition', { path: 'empty', before: null, after: text('') }],
    ['an empty deletion', { path: 'empty', before: text(''), after: null }],
    ['emptied', { path: 'f', before: text('x\n'), after: text('') }],
    ['a deletion', { path: 'c.txt', before: text('x\ny\n'), after: null }],
    ['a mode change', { path: 'run.sh', before: text('x\n'), after: text('x\n', 'exec') }],
    ['mode and content', { path: 'run.sh', before: text('x\n'), after: text('y\n', 'exec') }],
    ['no newline at the end', { path: 'n', before: text('a\nb'), after: text('a\nc') }],
    ['a newline added at the end', { path: 'n', before: text('a\nb'), after: text('a\nb\n') }],
    ['carriage returns', { path: 'crlf', before: text('a\r\nb\r\n'), after: text('a\r\nB\r\n') }],
    ['a path with spaces', { path: 'my file.txt', before: text('a\n'), after: text('b\n') }],
    [
      'a path with quote, tab and accent',
      { path: 'a"b\tö\\n.txt'.replace('\\', ''), before: text('a\n'), after: text('b\n') },
    ],
    [
      'binary',
      {
        path: 'x.bin',
        before: fileState(Uint8Array.of(0, 1, 2), 'file'),
        after: fileState(Uint8Array.of(0, 9), 'file'),
      },
    ],
    [
      'a binary addition',
      { path: 'y.bin', before: null, after: fileState(new Uint8Array(70_000).fill(3).fill(0, 9, 20), 'exec') },
    ],
    ['a binary deletion', { path: 'z.bin', before: fileState(Uint8Array.of(0, 255), 'file'), after: null }],
    ['binary to text', { path: 'z', before: fileState(Uint8Array.of(0, 255), 'file'), after: text('now text\n') }],
    ['a link', { path: 'l', before: null, after: text('target/file', 'link') }],
    ['a link that moves', { path: 'l', before: text('old', 'link'), after: text('new', 'link') }],
    ['a file that becomes a link', { path: 'l', before: text('content\n'), after: text('elsewhere', 'link') }],
    [
      'more edits than a minimal diff is made for',
      { path: 'big', before: text('a\n'.repeat(5000)), after: text('b\n'.repeat(5001)) },
    ],
  ];

  it.runIf(hasGit).each(cases)('git applies %s', (_name, change) => {
    expect(applyWithGit([change])).toEqual([change.after]);
  });

  it.runIf(hasGit)('git applies many changes at once, a rename as delete and add among them', () => {
    const files = [
      { path: 'old-name', before: text('same\n'), after: null },
      { path: 'new-name', before: null, after: text('same\n') },
      { path: 'z', before: text('1\n'), after: text('2\n') },
    ];
    expect(applyWithGit(files)).toEqual(files.map((file) => file.after));
  });

  it.runIf(hasGit)(
    'git applies any text change',
    () => {
      const content = fc
        .array(fc.constantFrom('a', 'b', '', '\n', '\n', '-', '+', ' ', '\\ No'), { maxLength: 14 })
        .map((parts) => parts.join(''));
      fc.assert(
        fc.property(content, content, (before, after) => {
          const change = { path: 'f', before: text(before), after: text(after) };
          fc.pre(before !== after);
          expect(applyWithGit([change])).toEqual([change.after]);
        }),
        { numRuns: 40 },
      );
    },
    60_000,
  );

  it('is empty for no change', () => {
    expect(toPatch(changeSet(BASE, [{ path: 'f', before: text('a'), after: text('a') }]))).toBe('');
  });
});

it('diffLines counts lines, and binary files apart', () => {
  const set = changeSet(BASE, [
    { path: 'a', before: text('1\n2\n3\n'), after: text('1\n3\n4\n5\n') },
    { path: 'b', before: null, after: text('x\n') },
    { path: 'c', before: null, after: fileState(Uint8Array.of(0), 'file') },
  ]);
  expect(diffLines(set)).toEqual({ files: 3, added: 3, removed: 1, binary: 1 });
});
