// L2-PLN-03, L1-DEL-01, L1-DEL-03: the fewest children, shares that never exceed the whole, deadlines inside the parent's.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HolonCard } from '#shared/contracts/holon.ts';
import { Policy } from '#shared/contracts/policy.ts';
import { add, fits } from '#shared/domain/budget.ts';
import { fewest } from '#shared/domain/cover.ts';
import { allocate, childConstraints, childDeadline, chooseChildren } from '#shared/domain/planning.ts';
import { anyBudget, budget, card, domain, drawing, holds, isSane } from './samples.ts';

const need = (family: string) => ({ family, criteria: [`${family}-1`], goal: `do ${family}` });
const choose = (cards: HolonCard[], me: string, ...families: string[]) =>
  chooseChildren({ cards, me, needs: families.map(need) });

describe('chooseChildren', () => {
  it('takes one child where one is enough, and says what is asked of it', () => {
    expect(choose(drawing(), 'engineering', 'fix-lint', 'fix-test')).toEqual({
      children: [
        { holon: 'developer', family: 'fix-lint', goal: 'do fix-lint', criteria: ['fix-lint-1'] },
        { holon: 'developer', family: 'fix-test', goal: 'do fix-test', criteria: ['fix-test-1'] },
      ],
      missing: [],
    });
  });

  it('plans over domains, and ties go to the first in the file', () => {
    expect(choose(drawing(), 'root', 'fix-lint', 'find-docs').children.map((one) => one.holon)).toEqual([
      'engineering',
      'research',
    ]);
    expect(choose(drawing(), 'engineering', 'fix-lint').children.map((one) => one.holon)).toEqual(['developer']);
  });

  it('names what nobody can do and still plans the rest', () => {
    const { children, missing } = choose(drawing(), 'root', 'bake-bread', 'fix-test');
    expect(missing).toEqual(['bake-bread']);
    expect(children.map((one) => one.family)).toEqual(['fix-test']);
  });

  it('passes over what is not ready, on every level', () => {
    const without = (id: string, state: HolonCard['state']) =>
      drawing().map((one) => (one.id === id ? { ...one, state } : one));
    expect(choose(without('developer', 'draining'), 'engineering', 'fix-lint').children[0]?.holon).toBe('refactorer');
    expect(choose(without('developer', 'offline'), 'root', 'fix-test').missing).toEqual(['fix-test']);
    expect(choose(without('engineering', 'offline'), 'root', 'fix-lint').missing).toEqual(['fix-lint']);
  });

  it('asks no coordinator that may not delegate', () => {
    const cards = [
      card('root', null),
      domain('d', 'root', { can_delegate: false }),
      card('w', 'd', { families: ['x'] }),
    ];
    expect(choose(cards, 'root', 'x').missing).toEqual(['x']);
  });

  it('is never more than needed: no smaller set covers', () => {
    const families = ['a', 'b', 'c', 'd'];
    const sets = fc.array(fc.subarray(families), { minLength: 1, maxLength: 7 });
    holds(
      fc.property(sets, (all) => {
        const cards = [card('root', null), ...all.map((own, at) => card(`w${at}`, 'root', { families: own }))];
        const { children, missing } = choose(cards, 'root', ...families);
        const wanted = families.filter((family) => !missing.includes(family));
        expect(wanted).toEqual(families.filter((family) => all.some((own) => own.includes(family))));
        for (const child of children)
          expect(cards.find((one) => one.id === child.holon)?.families).toContain(child.family);
        const used = new Set(children.map((child) => child.holon)).size;
        const subsets = Array.from({ length: 2 ** all.length }, (_, bits) =>
          all.filter((_own, at) => bits & (2 ** at)),
        );
        const covering = subsets.filter((some) => wanted.every((family) => some.some((own) => own.includes(family))));
        expect(used).toBe(Math.min(...covering.map((some) => some.length)));
      }),
      300,
    );
  });

  it('covers quickly with very many children too', () => {
    const families = Array.from({ length: 20 }, (_, at) => `f${at}`);
    const able = Array.from({ length: 300 }, (_, at) => ({
      families: [`f${at % 20}`, `f${(at * 7) % 20}`, `f${(at * 3) % 20}`],
    }));
    const chosen = fewest(able, families);
    expect(new Set(chosen.flatMap((one) => one.families)).size).toBe(20);
    expect(chosen.length).toBeLessThan(20);
  });
});

describe('allocate', () => {
  it('never gives away more than there is, and always keeps something to review with', () => {
    holds(
      fc.property(anyBudget(10_000), fc.integer({ min: 0, max: 40 }), (whole, children) => {
        const { work, review, each } = allocate(whole, { children });
        expect(each).toHaveLength(children);
        expect([work, review, ...each].every(isSane)).toBe(true);
        expect(add(work, review)).toEqual(whole);
        expect(fits(each.reduce(add, review), whole)).toBe(true);
        if (whole.calls >= 2) expect(review.calls).toBeGreaterThan(0);
      }),
    );
  });

  it('gives a single unit to the work', () => {
    expect(allocate(budget(1), { children: 0 }).work).toEqual(budget(1));
    expect(allocate(budget(10), { children: 0 }).review).toEqual(budget(2, { attempts: 0 }));
  });

  it('leaves a leaf all its attempts and keeps one for a coordinator', () => {
    expect(allocate(budget(10), { children: 0 }).work.attempts).toBe(10);
    expect(allocate(budget(10), { children: 2 }).each.map((one) => one.attempts)).toEqual([5, 4]);
    expect(allocate(budget(10), { children: 2 }).review.attempts).toBe(1);
  });
});

describe('limits of a child', () => {
  it('end before the parent, with time left to collect and review', () => {
    expect(childDeadline(100_000, 0, 1)).toBe(90_000);
    expect(childDeadline(100_000, 0, 3)).toBe(30_000);
    expect(childDeadline(5_000, 0, 1)).toBe(4_000);
    holds(
      fc.property(
        fc.integer({ min: 0, max: 1e9 }),
        fc.integer({ min: 0, max: 1e9 }),
        fc.integer({ min: 0, max: 5 }),
        (end, now, parts) => {
          const deadline = childDeadline(end, now, parts);
          expect(deadline).toBeLessThanOrEqual(end);
          if (end - now > 1000) expect(deadline).toBeLessThanOrEqual(end - 1000);
        },
      ),
    );
  });

  it('are never wider than the parent’s', () => {
    const allow = (...tools: string[]) => Policy.parse({ tools: { allow: tools, deny: [] } });
    const parent = { budget: budget(10), retries: 3, deadline: 1000, policy: allow('fs.*') };
    const child = childConstraints(parent, {
      budget: budget(20, { attempts: 2 }),
      deadline: 2000,
      policy: allow('fs.read', 'shell.run'),
    });
    expect(child).toMatchObject({ budget: budget(10, { attempts: 2 }), retries: 2, deadline: 1000 });
    expect(child.policy.tools.allow).toEqual(['fs.read']);
    expect(childConstraints(parent, { budget: budget(9), deadline: 900 }).policy).toEqual(parent.policy);
  });
});
