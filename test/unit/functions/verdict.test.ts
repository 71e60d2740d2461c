// A verdict is taken only for the review that was asked in this iteration (pitfall 49).
import { expect, it } from 'vitest';
import type { Verdict } from '#shared/contracts/verdict.ts';
import { newTask } from '#shared/domain/records.ts';
import { callStep } from '#test/support/chaos/acts.ts';
import { twoEvaluators } from '#test/support/chaos/holarchies.ts';
import { openChaosHouse } from '#test/support/chaos/house.ts';
import { submit, TENANT, taskOf } from '#test/support/submit.ts';

it('does not take the verdict of an earlier review when this one was never asked', async () => {
  const house = await openChaosHouse({ holarchy: twoEvaluators });
  const template = await taskOf(house, await submit(house, { goal: 'take the turn', to: 'turner' }));
  const id = house.clock.ulid();
  const review = `${id}-r1-1`;
  const birth = { tenant: TENANT, id, holon: 'turner', now: house.clock.now() };
  const from = { from: 'user', parent: null, continues: null, state: 'submitted', machine: 'leaf' } as const;
  const fresh = newTask(birth, from, template);
  await house.ports.tasks.put({ ...fresh, state: 'working', iteration: 2, review, reviews: 1 });
  await house.ports.ledger.open(TENANT, id, fresh.constraints.budget);
  const verdict: Verdict = {
    review,
    task: id,
    iteration: 1,
    result: 'pass',
    reason: 'of the first iteration',
    criteria: [],
    producer_holon: 'turner',
    evaluator_holon: 'critic',
    artifacts: [],
    mode: 're-run',
    judged_at: 1,
  };
  await house.ports.waits.outcome(
    TENANT,
    { task: id, on: review, offer: 0 },
    { word: 'verdict', by: 'm', body: { verdict } },
  );
  const output = await callStep(house, 'verdict', { tenant: TENANT, record: id, execution: `${id}-1`, tick: 9 });
  expect(output).toEqual({ word: 'review' });
  expect(await taskOf(house, id)).toMatchObject({ verdict: null, attempts: [], state: 'working' });
  await house.close();
});
