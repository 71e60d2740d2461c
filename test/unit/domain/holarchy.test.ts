// L1-ID-01, L1-HIE-01 to L1-HIE-03, L1-CAP-02, L1-CAP-03: a holarchy file with a fault gets the field and a remedy.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HolonCard } from '#shared/contracts/holon.ts';
import {
  ancestorsOf,
  checkHolarchy,
  childrenOf,
  familiesOf,
  MAX_DEPTH,
  subtreeOf,
  toolsOf,
} from '#shared/domain/holarchy.ts';
import { card, domain, drawing, holds } from './samples.ts';

const change = (id: string, more: Partial<HolonCard>): HolonCard[] =>
  drawing().map((one) => (one.id === id ? { ...one, ...more } : one));

const fields = (cards: HolonCard[]): string[] => checkHolarchy(cards).map((problem) => problem.field);

describe('checkHolarchy', () => {
  it('finds nothing wrong with the drawing', () => {
    expect(checkHolarchy(drawing())).toEqual([]);
  });

  it.each<[string, HolonCard[], string]>([
    ['a duplicate id (L1-ID-01)', [...drawing(), card('tester', 'quality')], 'holons[9].id'],
    ['no root (L1-HIE-01)', drawing().slice(1), 'holons'],
    ['two roots (L1-HIE-01)', [...drawing(), card('other', null)], 'holons[9].role'],
    ['a root with a parent', change('root', { parent: 'quality' }), 'holons[0].parent'],
    ['a holon without parent (L1-HIE-02)', change('tester', { parent: null }), 'holons[5].parent'],
    ['an unknown parent (L1-HIE-02)', change('tester', { parent: 'nobody' }), 'holons[5].parent'],
    ['its own parent (L1-HIE-03)', change('quality', { parent: 'quality' }), 'holons[4].parent'],
    ['a child of a leaf', [...drawing(), card('trainee', 'developer')], 'holons[9].parent'],
    [
      'a coordinator that may not delegate (L1-CAP-03)',
      change('quality', { can_delegate: false }),
      'holons[4].can_delegate',
    ],
    ['no evaluator', drawing().map((one) => ({ ...one, evaluates: false })), 'holons'],
    ['only the root evaluates', drawing().map((one) => ({ ...one, evaluates: one.role === 'root' })), 'holons'],
  ])('names field and remedy for %s', (_what, cards, field) => {
    const problems = checkHolarchy(cards);
    expect(problems.map((problem) => problem.field)).toContain(field);
    for (const { message, remedy } of problems)
      expect([message, remedy].every((text) => /\S{3}/.test(text))).toBe(true);
  });

  it('finds a circle once, and everything below it does not hang (L1-HIE-03)', () => {
    const circle = [
      card('root', null),
      domain('a', 'c'),
      domain('b', 'a'),
      domain('c', 'b'),
      card('below', 'c', { evaluates: true }),
    ];
    const found = checkHolarchy(circle).filter((problem) => problem.message.includes('circle'));
    expect(found).toHaveLength(1);
    expect(found[0]?.message).toContain('a > c > b > a');
    expect(subtreeOf(circle, 'a').toSorted()).toEqual(['a', 'b', 'below', 'c']);
    expect(ancestorsOf(circle, 'below')).toEqual(['c', 'b', 'a']);
  });

  it('refuses a sole evaluator that is also the sole producer, and takes it once somebody else produces', () => {
    const alone = [card('root', null), card('one', 'root', { families: ['x'], evaluates: true })];
    expect(fields(alone)).toEqual(['holons']);
    expect(fields([...alone, card('two', 'root', { families: ['x'] })])).toEqual([]);
  });

  it(`allows ${MAX_DEPTH} levels and no more`, () => {
    const chain = (levels: number): HolonCard[] => [
      card('root', null, { evaluates: true }),
      ...Array.from({ length: levels - 1 }, (_, at) =>
        domain(`d${at + 2}`, at === 0 ? 'root' : `d${at + 1}`, { evaluates: true }),
      ),
    ];
    expect(fields(chain(MAX_DEPTH))).toEqual([]);
    expect(fields(chain(MAX_DEPTH + 1))).toEqual([`holons[${MAX_DEPTH}].parent`]);
  });

  it('accepts nothing that is not one tree', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const cards = fc.array(fc.record({ id, parent: fc.option(id) }), { maxLength: 6 });
    holds(
      fc.property(cards, (rows) => {
        const made = rows.map((row) => domain(row.id, row.parent ?? 'x', { parent: row.parent, evaluates: true }));
        const all = [card('root', null), ...made.map((one) => ({ ...one, parent: one.parent ?? 'root' }))];
        const isTree =
          new Set(all.map((one) => one.id)).size === all.length && subtreeOf(all, 'root').length === all.length;
        const deep = Math.max(...all.map((one) => ancestorsOf(all, one.id).length)) >= MAX_DEPTH;
        const usable = checkHolarchy(all).length === 0;
        expect(usable).toBe(isTree && !deep && made.length > 0);
      }),
      500,
    );
  });
});

describe('questions', () => {
  it('answer by tree', () => {
    expect(childrenOf(drawing(), 'quality').map((one) => one.id)).toEqual(['tester', 'evaluator']);
    expect(subtreeOf(drawing(), 'engineering')).toEqual(['engineering', 'developer', 'refactorer']);
    expect(subtreeOf(drawing(), 'nobody')).toEqual([]);
    expect(ancestorsOf(drawing(), 'developer')).toEqual(['engineering', 'root']);
  });

  it('a coordinator has what its workers have (L1-CAP-02)', () => {
    expect(familiesOf(drawing(), 'developer')).toEqual(['fix-lint', 'fix-test']);
    expect(familiesOf(drawing(), 'root')).toEqual(['fix-lint', 'fix-test', 'write-test', 'find-docs']);
    expect(toolsOf(drawing(), 'engineering')).toEqual(['shell.run', 'fs.write']);
    expect(familiesOf(change('engineering', { families: ['paint'] }), 'engineering')).not.toContain('paint');
  });
});
