// L2-EVL-01, L1-REV-01: never the producer, never its own subtree if another exists; inherited only when nothing differs.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ArtifactRef } from '#shared/contracts/artifact.ts';
import type { HolonCard } from '#shared/contracts/holon.ts';
import { Verdict } from '#shared/contracts/verdict.ts';
import { subtreeOf } from '#shared/domain/holarchy.ts';
import { chooseEvaluator, reviewMode } from '#shared/domain/review.ts';
import { card, domain, drawing, holds } from './samples.ts';

const choose = (cards: HolonCard[], producer: string, ...tried: string[]) =>
  chooseEvaluator({ cards, producer, tried });

describe('chooseEvaluator', () => {
  it('takes the nearest, the first in the file when two are as near', () => {
    expect(choose(drawing(), 'developer')).toBe('tester');
    expect(choose(drawing(), 'root')).toBe('tester');
    expect(choose([...drawing(), card('auditor', 'engineering', { evaluates: true })], 'developer')).toBe('auditor');
  });

  it('is never the producer, and never one that was tried', () => {
    expect(choose(drawing(), 'tester')).toBe('evaluator');
    expect(choose(drawing(), 'developer', 'tester')).toBe('evaluator');
    expect(choose(drawing(), 'developer', 'tester', 'evaluator')).toBeNull();
  });

  it('looks outside the producer’s own subtree first, and inside only when there is nobody else', () => {
    const cards = [...drawing(), card('auditor', 'research', { evaluates: true })];
    expect(choose(cards, 'quality')).toBe('auditor');
    expect(choose(drawing(), 'quality')).toBe('tester');
  });

  it('passes over who is not ready', () => {
    const cards = drawing().map((one) => (one.id === 'tester' ? { ...one, state: 'draining' as const } : one));
    expect(choose(cards, 'developer')).toBe('evaluator');
  });

  it('keeps to that in any tree', () => {
    const row = fc.record({ parent: fc.nat(), evaluates: fc.boolean(), ready: fc.boolean() });
    const rows = fc.array(row, { minLength: 1, maxLength: 12 });
    const tree = rows.map((all) => [card('h0', null), ...all.map((one, at) => grown(at + 1, one))]);
    holds(
      fc.property(tree, fc.nat(), fc.array(fc.nat(), { maxLength: 3 }), (cards, at, others) => {
        const producer = `h${at % cards.length}`;
        const tried = others.map((n) => `h${n % cards.length}`);
        const possible = cards
          .filter((one) => one.evaluates && one.state === 'ready' && one.id !== producer)
          .map((one) => one.id)
          .filter((id) => !tried.includes(id));
        const own = subtreeOf(cards, producer);
        const outside = possible.filter((id) => !own.includes(id));
        const best = outside.length > 0 ? outside : possible;
        const chosen = choose(cards, producer, ...tried);
        expect(best.length === 0 ? [null] : best).toContain(chosen);
      }),
      500,
    );
  });
});

/** Card number `at`, below one of those before it. */
const grown = (at: number, one: { parent: number; evaluates: boolean; ready: boolean }): HolonCard =>
  domain(`h${at}`, `h${one.parent % at}`, { evaluates: one.evaluates, state: one.ready ? 'ready' : 'offline' });

const artifact: ArtifactRef = { id: 't/1/changes', version: 1, sha256: 'a'.repeat(64), kind: 'change-set' };
const verdict = (
  result: 'pass' | 'fail' | 'partial' | 'unable',
  judged: Record<string, 'met' | 'unmet' | 'unchecked'>,
): Verdict =>
  Verdict.parse({
    review: 'r',
    task: 't',
    iteration: 1,
    result,
    reason: '',
    criteria: Object.entries(judged).map(([criterion, one]) => ({
      criterion,
      level: 'must',
      result: one,
      before: 'fail',
      new_failures: [],
      red_before: [],
      reason: '',
      evidence: [],
    })),
    producer_holon: 'developer',
    evaluator_holon: 'tester',
    artifacts: [artifact],
    mode: 're-run',
    judged_at: 1,
  });

describe('reviewMode', () => {
  const good = { children: 1, verdict: verdict('pass', { lint: 'met', types: 'met' }), criteria: ['lint'], artifact };

  it('inherits the verdict of the one child whose artifact it is', () => {
    expect(reviewMode(good)).toBe('inherit');
    expect(reviewMode({ ...good, artifact: { ...artifact, id: 'p/1/changes' } })).toBe('inherit');
    expect(
      reviewMode({ ...good, verdict: verdict('partial', { lint: 'met', docs: 'unmet' }), criteria: ['lint', 'docs'] }),
    ).toBe('inherit');
  });

  it.each<[string, Partial<Parameters<typeof reviewMode>[0]>]>([
    ['a leaf’s own work', { children: 0, verdict: null }],
    ['two merged children', { children: 2 }],
    ['no verdict', { verdict: null }],
    ['no artifact', { artifact: null }],
    ['a failed verdict', { verdict: verdict('fail', { lint: 'unmet' }) }],
    ['one that could not judge', { verdict: verdict('unable', { lint: 'unchecked' }) }],
    ['a criterion nobody looked at', { criteria: ['lint', 'format'] }],
    ['a criterion that could not be checked', { verdict: verdict('pass', { lint: 'unchecked' }) }],
    ['no criteria at all', { criteria: [] }],
    ['another content', { artifact: { ...artifact, sha256: 'b'.repeat(64) } }],
  ])('runs everything again for %s', (_what, more) => {
    expect(reviewMode({ ...good, ...more })).toBe('re-run');
  });
});
