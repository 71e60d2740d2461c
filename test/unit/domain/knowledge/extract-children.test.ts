// What a coordinator's lesson says of conflicts and of later iterations, from its delegations as they are stored (L3-CMP-02).
import { expect, it } from 'vitest';
import { delegationId } from '#shared/contracts/ids.ts';
import type { Plan } from '#shared/contracts/plan.ts';
import type { DelegationRecord, TaskRecord } from '#shared/contracts/task.ts';
import { ledOf } from '#shared/domain/knowledge/extract-children.ts';
import { delegation, rootId } from '#test/adapters/suites/samples.ts';
import { finished } from './samples.ts';

const ROOT = rootId(1);

const child = (iteration: number, slot: number, parts: Partial<DelegationRecord> = {}): DelegationRecord => {
  const id = delegationId(ROOT, iteration, slot);
  const one = delegation(id);
  const family = slot === 0 ? 'lint' : 'tests';
  return { ...one, task: ROOT, state: 'done', to: `maker-${family}`, plan: { ...one.plan, slot, family }, ...parts };
};

const leading = (iteration: number, slots: readonly number[], parts: Partial<TaskRecord> = {}): TaskRecord => {
  const waves = [slots.map((slot) => child(iteration, slot).plan)];
  return finished(1, { iteration, plan: { iteration, waves, leaf: null } as unknown as Plan, ...parts });
};

it('names what was done again on top of the others after a conflict', () => {
  const led = ledOf(leading(1, [0, 1], { attempts: [] }), [child(1, 0), child(1, 1), child(1, 2)]);
  expect(led?.worked).toBe(
    'split in 3: lint by maker-lint, tests by maker-tests, tests by maker-tests on top of the others',
  );
  expect(led?.failed).toBe('tests conflicted with the others when done beside them');
});

it('names a conflict that remained', () => {
  const failing = { reason: 'conflict', detail: 'two results change the same lines' } as const;
  expect(ledOf(leading(1, [0], { attempts: [], failing }), [child(1, 0)])?.failed).toContain(failing.detail);
});

it('says what the next iteration delegated after a review failed, and splits as the newest one did', () => {
  const record = leading(2, [1]);
  const led = ledOf({ ...record, attempts: record.attempts.slice(0, 1) }, [child(1, 0), child(2, 1)]);
  expect(led?.worked).toBe(
    'split in 1: tests by maker-tests; iteration 1 failed: lint: it fails, then tests to maker-tests',
  );
});

it('speaks of each try with its reason, and a task that delegated nothing leads nobody', () => {
  const tried = { child: `${ROOT}_10_1`, offer: 1, signature: 's', budget_asked: false };
  const one = child(1, 0, {
    state: 'failed',
    to: 'second',
    tried: [
      { ...tried, holon: 'first', outcome: 'reject', detail: 'busy' },
      { ...tried, holon: 'second', outcome: 'lost', detail: 'lost' },
    ],
  });
  expect(ledOf(leading(1, [0], { attempts: [] }), [one])).toMatchObject({
    worked: 'split in 1: lint not done: failed, last by second (after reject of first: busy, lost of second: lost)',
    failed: 'lint: reject of first: busy; lint: lost of second: lost',
  });
  expect(ledOf(finished(), [])).toBeNull();
});
