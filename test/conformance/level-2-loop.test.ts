// Level 2, the loop: the scripted "Complete Compound Loop" and the ids of planning, review and iteration.
import { expect } from 'vitest';
import { once, taskOf } from './house.ts';
import { phasesOf, plansOf, saidBy, toldIn } from './trail.ts';
import { performs, scenario, verifies } from './verifies.ts';

const GOAL = 'certify: always fail review';

scenario('Level 2: Complete Compound Loop', (house) => {
  const flow = once(async () => {
    await house().add({ id: 'scripted', families: ['certify-never', 'certify-missing-tool', 'certify-counter'] });
    return house().run(GOAL, { retries: 3 });
  });
  const leaf = once(async () => {
    const { view } = await flow();
    return house()
      .door()
      .call('_hca/task/get', { task: taskOf(view.tree, 'scripted').record });
  });
  const journal = once(async () => (await flow()).entries.filter(({ holon }) => holon === 'scripted'));
  const reviews = once(async () => {
    const { task } = await flow();
    return (await house().door().call('_hca/task/verdict', { task })).reviews;
  });

  performs('complete-compound-loop', 1, async () => {
    const { retries, goal, attempts } = await leaf();
    expect({ retries, goal }).toEqual({ retries: 3, goal: GOAL });
    expect(attempts).toHaveLength(3);
    return { retries, goal };
  });

  performs('complete-compound-loop', 2, async () => {
    const [plan] = plansOf(await journal(), 'scripted');
    expect(plan?.data).toMatchObject({ goal: GOAL, criteria: expect.arrayContaining([expect.anything()]) });
    expect(plan?.data.allocation).toMatchObject({ work: { calls: expect.any(Number) } });
    return { criteria: plan?.data.criteria, allocation: plan?.data.allocation };
  });

  performs('complete-compound-loop', 3, async () => {
    const called = saidBy(await journal(), 'work').find(({ data }) => data.tool !== undefined);
    const { artifacts } = await house()
      .door()
      .call('_hca/artifact/list', { task: (await flow()).task });
    const made = artifacts.filter(({ kind, holon_id }) => kind === 'change-set' && holon_id === 'scripted');
    expect(called?.data).toMatchObject({ tool: 'filesystem.write_file', status: 'ok' });
    expect(made.map(({ iteration }) => iteration)).toEqual([1, 2, 3]);
    return { tool: called?.data.tool, artifacts: made.map(({ id }) => id) };
  });

  performs('complete-compound-loop', 4, async () => {
    const [first] = await reviews();
    expect(first).toMatchObject({ producer: 'scripted', evaluator: 'evaluator', verdict: { result: 'fail' } });
    return { review: first?.review, evaluator: first?.evaluator };
  });

  const iterationAfter = async (failed: number) => {
    const entry = saidBy(await journal(), 'verdict')[failed - 1];
    const next = (await journal()).find(({ version }) => version === (entry?.version ?? 0) + 1);
    return { review: failed, result: entry?.data.result, step: next?.step, iteration: next?.iteration };
  };

  performs('complete-compound-loop', 5, async () => {
    const seen = await iterationAfter(1);
    expect(seen).toEqual({ review: 1, result: 'fail', step: 'revise', iteration: 2 });
    return seen;
  });

  performs('complete-compound-loop', 6, async () => {
    const seen = await iterationAfter(2);
    expect(seen).toEqual({ review: 2, result: 'fail', step: 'revise', iteration: 3 });
    return seen;
  });

  performs('complete-compound-loop', 7, async () => {
    const seen = await iterationAfter(3);
    expect(seen).toEqual({ review: 3, result: 'fail', step: 'escalate', iteration: 3 });
    return seen;
  });

  performs('complete-compound-loop', 8, async () => {
    const { escalation } = await leaf();
    expect(escalation).toMatchObject({
      reason: 'attempts_spent',
      detail: expect.stringMatching(/./),
      unused_attempts: 0,
    });
    expect(escalation?.attempts).toHaveLength(3);
    expect(escalation?.evidence.length).toBeGreaterThan(0);
    expect(escalation?.artifact).not.toBeNull();
    return { reason: escalation?.reason, attempts: escalation?.attempts.length, evidence: escalation?.evidence };
  });

  performs('complete-compound-loop', 9, async () => {
    const { view } = await house().run('certify: need a missing tool');
    const child = await house()
      .door()
      .call('_hca/task/get', { task: taskOf(view.tree, 'scripted').record });
    expect(child).toMatchObject({ state: 'rejected', rejected: { reason: 'missing_tool' } });
    return { rejected: child.rejected };
  });

  performs('complete-compound-loop', 10, async () => {
    const { entries } = await house().run('certify: counter', { budget: 'calls=7000' });
    const [counter] = saidBy(entries, 'answer', 'scripted');
    const answered = toldIn(entries).find(({ method, to }) => method === 'hca/task/negotiate' && to === 'scripted');
    expect(counter).toMatchObject({ state: 'countered' });
    expect(answered).toMatchObject({ from: 'engineering' });
    return { counter: counter?.text, answered };
  });

  verifies('L2-PLN-01', 'planning comes before working, in every iteration', async () => {
    const phases = phasesOf(await journal(), (await leaf()).task);
    const working = phases.flatMap((phase, at) => (phase === 'working' ? [phases[at - 1]] : []));
    expect(working).toEqual(['planning', 'planning', 'planning']);
    return { phases };
  });

  verifies('L2-PLN-02', 'the plan of every level names the goal and the criteria that cover it', async () => {
    const { entries } = await flow();
    const plans = ['root', 'engineering', 'scripted'].map((holon) => plansOf(entries, holon)[0]?.data);
    for (const plan of plans) {
      expect(plan).toMatchObject({
        goal: GOAL,
        criteria: expect.arrayContaining([expect.objectContaining({ id: 'never' })]),
      });
    }
    expect((await leaf()).clauses).toHaveLength(1);
    return { goal: GOAL, criteria: plans.map((plan) => plan?.criteria) };
  });

  verifies(
    'L2-PLN-03',
    'what goes to the work and what to the review is recorded, and is no more than there is',
    async () => {
      const { entries, view } = await flow();
      const parts = ['root', 'engineering', 'scripted'].map((holon) => plansOf(entries, holon)[0]?.data.allocation);
      const calls = (parts as { work: { calls: number }; review: { calls: number } }[]).map(({ work, review }) => [
        work.calls,
        review.calls,
      ]);
      for (const [work = 0, review = 0] of calls) expect(Math.min(work, review)).toBeGreaterThan(0);
      const [work = 0, review = 0] = calls[0] ?? [];
      expect(work + review).toBeLessThanOrEqual(view.budget.calls);
      return { budget: view.budget.calls, work_and_review: calls };
    },
  );

  verifies('L2-EVL-01', 'in every review the evaluator is another holon than the producer', async () => {
    const pairs = (await reviews()).map(({ verdict }) => [verdict?.producer_holon, verdict?.evaluator_holon]);
    expect(pairs.length).toBeGreaterThan(0);
    for (const [producer, evaluator] of pairs) expect(producer).not.toBe(evaluator);
    return { pairs };
  });

  verifies(
    'L2-EVL-02',
    'what was sent for review is what was judged, and it is the artifact of that iteration',
    async () => {
      const asked = saidBy(await journal(), 'review').map(({ data }) => data.artifact);
      const judged = (await reviews()).map(({ verdict }) => verdict?.artifacts[0]);
      expect(judged).toEqual(asked);
      expect(judged.map((artifact) => artifact?.id)).toEqual(
        (await leaf()).attempts.map(({ artifact }) => artifact?.id),
      );
      return { judged: judged.map((artifact) => artifact?.id) };
    },
  );

  verifies('L2-EVL-03', 'each criterion of the plan is in the verdict, the unmet one with its reason', async () => {
    const { criteria } = await leaf();
    for (const { verdict } of await reviews()) {
      expect(verdict?.criteria.map(({ criterion }) => criterion)).toEqual(criteria.map(({ id }) => id));
      expect(verdict?.criteria.find(({ criterion }) => criterion === 'never')).toMatchObject({ result: 'unmet' });
    }
    return { criteria: criteria.map(({ id, result, reason }) => ({ id, result, reason })) };
  });

  verifies('L2-ITR-01', 'a failed review with attempts left leads to REVISE with what was unmet', async () => {
    const revised = saidBy(await journal(), 'revise');
    expect(revised).toHaveLength(2);
    for (const { data } of revised) expect(String(data.unmet)).toContain('never');
    return { revised: revised.map(({ text }) => text), unmet: revised[0]?.data.unmet };
  });

  verifies('L2-ITR-02', 'iterations are counted from 1', async () => {
    const { iteration, attempts } = await leaf();
    expect(attempts.map((attempt) => attempt.iteration)).toEqual([1, 2, 3]);
    expect(iteration).toBe(3);
    return { iterations: attempts.map((attempt) => attempt.iteration) };
  });
});
