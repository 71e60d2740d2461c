// Three-way merge: disjoint edits always merge in any order, the same edit twice is no conflict, a real one names its sides.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChangeSet, FileMode } from '#shared/contracts/workspace.ts';
import { changeSet, fileState, stateBytes } from '#shared/domain/change-set.ts';
import { mergeChanges } from '#shared/domain/merge.ts';

const BASE = 'b'.repeat(64);
const state = (text: string, mode: FileMode = 'file') => fileState(new TextEncoder().encode(text), mode);
const edit = (path: string, before: string | null, after: string | null): ChangeSet =>
  changeSet(BASE, [
    { path, before: before === null ? null : state(before), after: after === null ? null : state(after) },
  ]);
const merged = (outcome: ReturnType<typeof mergeChanges>): ChangeSet => {
  if ('conflicts' in outcome) throw new Error(`conflict: ${JSON.stringify(outcome.conflicts)}`);
  return outcome.merged;
};
const textOf = (set: ChangeSet, path: string) => set.files.find((file) => file.path === path)?.after?.text;

describe('mergeChanges', () => {
  it('merges edits of different lines whatever the order, and loses none', () => {
    const scenario = fc
      .tuple(fc.integer({ min: 8, max: 40 }), fc.array(fc.nat(39), { minLength: 2, maxLength: 6 }))
      .map(([count, picks]) => {
        const spaced = [...new Set(picks.map((pick) => (pick % Math.floor(count / 2)) * 2))];
        return { lines: Array.from({ length: count }, (_, i) => `line ${i}`), spaced };
      });
    fc.assert(
      fc.property(scenario, fc.boolean(), ({ lines, spaced }, reversed) => {
        const base = `${lines.join('\n')}\n`;
        const sets = spaced.map((at) => edit('f', base, `${lines.with(at, `edited ${at}`).join('\n')}\n`));
        const expected = `${lines.map((line, i) => (spaced.includes(i) ? `edited ${i}` : line)).join('\n')}\n`;
        const outcome = merged(mergeChanges(reversed ? sets.toReversed() : sets));
        expect(textOf(outcome, 'f')).toBe(expected);
        expect(outcome).toEqual(merged(mergeChanges(sets)));
      }),
      { numRuns: 300 },
    );
  });

  it('takes changes of different files together', () => {
    const outcome = merged(mergeChanges([edit('a', null, 'x'), edit('b', 'y', null), edit('c', 'z', 'zz')]));
    expect(outcome.files.map((file) => [file.path, file.after?.text ?? null])).toEqual([
      ['a', 'x'],
      ['b', null],
      ['c', 'zz'],
    ]);
  });

  it('the same edit, addition or deletion twice is no conflict', () => {
    for (const set of [edit('f', 'a\n', 'b\n'), edit('f', null, 'b\n'), edit('f', 'a\n', null)]) {
      expect(merged(mergeChanges([set, set, set]))).toEqual(set);
    }
  });

  it.each([
    ['the same line', edit('f', 'a\n', 'b\n'), edit('f', 'a\n', 'c\n'), /same lines/],
    ['delete against edit', edit('f', 'a\n', null), edit('f', 'a\n', 'c\n'), /deletes/],
    ['two additions', edit('f', null, 'b\n'), edit('f', null, 'c\n'), /add/],
    ['a file against a folder', edit('f', null, 'b\n'), edit('f/g', null, 'c\n'), /f\/g/],
  ])('a real conflict (%s) is told with both sides, in either order', (...[, left, right, reason]) => {
    for (const sets of [
      [left, right],
      [right, left],
    ]) {
      const outcome = mergeChanges(sets);
      if (!('conflicts' in outcome)) throw new Error('expected a conflict');
      expect(outcome.conflicts).toHaveLength(1);
      expect(outcome.conflicts[0]?.path).toBe('f');
      expect(outcome.conflicts[0]?.reason).toMatch(reason);
      expect(outcome.conflicts[0]?.sides).toHaveLength(2);
    }
  });

  it('binary files conflict, a mode change and an edit do not', () => {
    const binary = (n: number) => fileState(Uint8Array.of(0, n), 'file');
    const sides = [1, 2].map((n) => changeSet(BASE, [{ path: 'f', before: binary(0), after: binary(n) }]));
    expect(mergeChanges(sides)).toHaveProperty('conflicts');
    const chmod = changeSet(BASE, [{ path: 'f', before: state('a\n'), after: state('a\n', 'exec') }]);
    const outcome = merged(mergeChanges([chmod, edit('f', 'a\n', 'b\n')]));
    expect(outcome.files[0]?.after).toEqual(state('b\n', 'exec'));
  });

  it('a later wave is merged over what the earlier wave had changed, also on the same lines', () => {
    const wave1 = edit('f', 'one\ntwo\nthree\n', 'ONE\ntwo\nthree\n');
    const left = edit('f', 'one\ntwo\nthree\n', 'ONE!\ntwo\nthree\n');
    const right = edit('f', 'one\ntwo\nthree\n', 'ONE\ntwo\nTHREE\n');
    expect(textOf(merged(mergeChanges([left, right], wave1)), 'f')).toBe('ONE!\ntwo\nTHREE\n');
    const reverted = merged(mergeChanges([changeSet(BASE, []), wave1], wave1));
    expect(reverted.files).toEqual([]);
  });

  it('sets of different bases are refused by name', () => {
    const other = { ...edit('f', 'a', 'b'), base: 'c'.repeat(64) };
    expect(() => mergeChanges([edit('f', 'a', 'b'), other])).toThrow(/one base/);
    expect(() => mergeChanges([])).toThrow(/one base/);
  });
});

it('a file state keeps every byte', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 60 }),
        fc.string().map((s) => new TextEncoder().encode(s)),
      ),
      (bytes) => {
        expect(stateBytes(fileState(bytes, 'file'))).toEqual(bytes);
      },
    ),
  );
});
