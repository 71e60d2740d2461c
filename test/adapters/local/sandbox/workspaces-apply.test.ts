// Changes written back to a person's folder: all or nothing, never through a link, finished or undone after a crash.
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import { writeAtomic } from '#shared/adapters/local/sandbox/write-atomic.ts';
import type { ChangeSet } from '#shared/contracts/workspace.ts';
import { changeSet, fileState } from '#shared/domain/change-set.ts';
import { fingerprint, folder, layOut } from './folders.ts';

const store = () => new FilesWorkspaces(folder('store'));
const state = (text: string) => fileState(Buffer.from(text), 'file');
const maybe = (text: string | null) => (text === null ? null : state(text));
const change = (path: string, before: string | null, after: string | null): ChangeSet =>
  changeSet('0'.repeat(64), [{ path, before: maybe(before), after: maybe(after) }]);

describe('apply', () => {
  it('writes adds, edits, deletes, modes and links, and removes folders it emptied', async () => {
    const root = layOut(folder('ws'), {
      'edit.txt': 'old',
      'gone/deep/x.txt': 'x',
      'run.sh': '#!/bin/sh\n',
      'mode-kept': { exec: 'e' },
    });
    const workspaces = store();
    const { tree } = await workspaces.take(root);
    const set = changeSet(tree, [
      { path: 'edit.txt', before: state('old'), after: state('new') },
      { path: 'gone/deep/x.txt', before: state('x'), after: null },
      { path: 'run.sh', before: state('#!/bin/sh\n'), after: { ...state('#!/bin/sh\n'), mode: 'exec' } },
      { path: 'made/here.txt', before: null, after: state('hi') },
      { path: 'link', before: null, after: fileState(Buffer.from('made/here.txt'), 'link') },
    ]);
    const before = fingerprint(root);
    expect(await workspaces.apply(root, set, 'check')).toEqual({ applied: set.files.map((file) => file.path) });
    expect(fingerprint(root)).toBe(before);
    expect(await workspaces.apply(root, set, 'write')).toEqual({ applied: set.files.map((file) => file.path) });
    expect(readFileSync(join(root, 'edit.txt'), 'utf8')).toBe('new');
    expect(existsSync(join(root, 'gone'))).toBe(false);
    expect(lstatSync(join(root, 'run.sh')).mode & 0o111).not.toBe(0);
    expect(readlinkSync(join(root, 'link'))).toBe('made/here.txt');
    const again = await workspaces.take(root);
    expect(await workspaces.apply(root, set, 'write')).toHaveProperty('applied');
    expect((await workspaces.take(root)).tree).toBe(again.tree);
  });

  it.each(['.git/hooks/pre-commit', 'sub/.GIT/config', '.hg/hgrc'])(
    'writes nothing to %s: it is run later',
    async (path) => {
      const root = layOut(folder('ws'), { a: 'a' });
      const conflicts = [{ path, reason: "it belongs to a repository's own files" }];
      expect(await store().apply(root, change(path, null, 'x'), 'write')).toMatchObject({ conflicts });
      expect(existsSync(join(root, path))).toBe(false);
    },
  );

  it('one wrong base stops all of it and nothing is touched', async () => {
    const root = layOut(folder('ws'), { a: 'a', b: 'changed meanwhile', c: 'c' });
    const set = changeSet('0'.repeat(64), [
      { path: 'a', before: state('a'), after: state('A') },
      { path: 'b', before: state('b'), after: state('B') },
      { path: 'c', before: null, after: state('C') },
    ]);
    const before = fingerprint(root);
    const outcome = await store().apply(root, set, 'write');
    expect(outcome).toMatchObject({ conflicts: [{ path: 'b' }, { path: 'c' }] });
    expect(fingerprint(root)).toBe(before);
  });

  it('3way merges with what the person changed meanwhile, and a real conflict changes nothing', async () => {
    const base = 'one\ntwo\nthree\nfour\n';
    const root = layOut(folder('ws'), { f: 'ONE\ntwo\nthree\nfour\n' });
    const workspaces = store();
    expect(await workspaces.apply(root, change('f', base, 'one\ntwo\nthree\nFOUR\n'), '3way')).toEqual({
      applied: ['f'],
    });
    expect(readFileSync(join(root, 'f'), 'utf8')).toBe('ONE\ntwo\nthree\nFOUR\n');
    const before = fingerprint(root);
    const outcome = await workspaces.apply(root, change('f', base, 'uno\ntwo\nthree\nfour\n'), '3way');
    expect(outcome).toMatchObject({ conflicts: [{ path: 'f', reason: expect.stringContaining('same lines') }] });
    expect(fingerprint(root)).toBe(before);
  });

  it('never writes through a link that leads out of the folder', async () => {
    const outside = layOut(folder('outside'), { 'f.txt': 'theirs' });
    const root = layOut(folder('ws'), { dir: { link: outside }, file: { link: join(outside, 'f.txt') } });
    const before = fingerprint(outside);
    const through = await store().apply(root, change('dir/new.txt', null, 'x'), 'write');
    expect(through).toMatchObject({ conflicts: [{ path: 'dir/new.txt' }] });
    const onto = await store().apply(root, change('file', 'theirs', 'x'), '3way');
    expect(onto).toHaveProperty('conflicts');
    expect(fingerprint(outside)).toBe(before);
  });

  it('a write that fails half way is undone', async () => {
    const root = layOut(folder('ws'), { a: 'a' });
    const set = changeSet('0'.repeat(64), [
      { path: 'a', before: state('a'), after: state('A') },
      { path: 'd', before: null, after: state('x') },
      { path: 'd/e', before: null, after: state('x') },
    ]);
    const failure = await store()
      .apply(root, set, 'write')
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'HcaUnavailable', field: 'workspace', remedy: expect.stringMatching(/\w/) });
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('a');
    expect(existsSync(join(root, 'd'))).toBe(false);
  });

  it.each(['finished', 'undone'])('an apply cut off by a crash is %s at the next start', async (end) => {
    const root = layOut(folder('ws'), { a: 'A', b: 'b' });
    const home = folder('store');
    const writes = [
      { path: 'a', before: state('a'), after: state('A') },
      { path: 'b', before: state('b'), after: state('B') },
    ];
    const name = createHash('sha256').update(root).digest('hex').slice(0, 32);
    const workspaces = new FilesWorkspaces(home);
    writeAtomic(join(home, 'applies', `${name}.json`), JSON.stringify({ root, writes }));
    if (end === 'undone') writeFileSync(join(root, 'b'), 'edited by hand');
    expect(await workspaces.recover()).toEqual([root]);
    const now = ['a', 'b'].map((path) => readFileSync(join(root, path), 'utf8'));
    expect(now).toEqual(end === 'finished' ? ['A', 'B'] : ['a', 'edited by hand']);
    expect(await workspaces.recover()).toEqual([]);
  });
});
