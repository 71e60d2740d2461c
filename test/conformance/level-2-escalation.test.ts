// Level 2, limits and escalation: spent attempts, a spent budget, and what the parent and the person get to see.
import { expect } from 'vitest';
import { nodesOf, once, taskOf } from './house.ts';
import { firstSaid, saidBy, toldIn } from './trail.ts';
import { performs, scenario, verifies } from './verifies.ts';

scenario('Level 2: escalation', (house) => {
  const card = once(() =>
    house().add({ id: 'scripted', families: ['certify-never', 'certify-exhaust', 'certify-missing-tool'] }),
  );
  const get = (task: string) => house().door().call('_hca/task/get', { task });
  const flow = once(() => card().then(() => house().run('certify: always fail review', { retries: 3 })));
  const leaf = once(async () => get(taskOf((await flow()).view.tree, 'scripted').record));
  const poor = once(() =>
    card().then(() => house().run('certify: exhaust the budget with 200 calls', { budget: 'calls=40' })),
  );

  verifies('L2-ITR-03', 'there is no attempt after the last that is allowed, however many that are', async () => {
    await card();
    const { view } = await house().run('certify: always fail review', { retries: 1 });
    const strict = await get(taskOf(view.tree, 'scripted').record);
    expect(strict).toMatchObject({ state: 'escalated', iteration: 1, escalation: { reason: 'attempts_spent' } });
    expect(strict.attempts).toHaveLength(1);
    expect(await leaf()).toMatchObject({ state: 'escalated', iteration: 3, escalation: { reason: 'attempts_spent' } });
    return { allowed_1: strict.attempts.length, allowed_3: (await leaf()).attempts.length };
  });

  verifies(
    'L2-ITR-04',
    'no call is made beyond the budget; the parent grants what it has, then it goes up',
    async () => {
      const { view, entries } = await poor();
      const tried = nodesOf(view.tree).filter(({ kind, holon }) => kind === 'task' && holon === 'scripted');
      const ends = await Promise.all(tried.map(({ record }) => get(record)));
      expect(ends.map(({ escalation }) => escalation?.reason)).toEqual(['budget_spent', 'budget_spent']);
      for (const { spent, budget } of ends) expect(spent.calls).toBeLessThanOrEqual(budget.calls);
      expect(view.spent.calls).toBeLessThanOrEqual(view.budget.calls);
      expect(saidBy(entries, 'arbitrate', 'engineering').map(({ data }) => data.decision)).toMatchObject([
        { do: 'grant' },
        { do: 'give_up' },
      ]);
      expect(view.outcome).toBe('escalated');
      return {
        budgets: ends.map(({ budget, spent }) => ({ calls: budget.calls, spent: spent.calls })),
        spent: view.spent.calls,
      };
    },
  );

  verifies('L2-ESC-01', 'every attempt is listed, also one that was cut short before its review', async () => {
    const { escalation } = await leaf();
    expect(escalation?.attempts.map(({ iteration, result }) => [iteration, result])).toEqual([
      [1, 'fail'],
      [2, 'fail'],
      [3, 'fail'],
    ]);
    const { attempts } = await house()
      .door()
      .call('_hca/task/escalation', { task: (await poor()).task });
    const cut = attempts.filter(({ holon }) => holon === 'scripted');
    expect(cut.map(({ result }) => result)).toEqual(['none', 'none']);
    return {
      attempts: escalation?.attempts.map(({ alternative, result, unmet }) => ({ alternative, result, unmet })),
      cut,
    };
  });

  verifies('L2-ESC-02', 'on every level there is a reason and a sentence', async () => {
    const { view } = await flow();
    const views = await Promise.all(
      ['root', 'engineering', 'scripted'].map((holon) => get(taskOf(view.tree, holon).record)),
    );
    const said = views.map(({ holon, escalation }) => ({
      holon,
      reason: escalation?.reason,
      detail: escalation?.detail,
    }));
    expect(said.map(({ reason }) => reason)).toEqual(['child_failed', 'child_failed', 'attempts_spent']);
    for (const { detail } of said) expect(detail).toContain('never is unmet');
    return { said };
  });

  verifies('L2-ESC-03', 'the evidence it names is kept in artifacts that can be fetched', async () => {
    const { escalation } = await leaf();
    const { artifacts } = await house()
      .door()
      .call('_hca/artifact/list', { task: (await flow()).task });
    const kept = await Promise.all(
      artifacts
        .filter(({ kind }) => kind === 'evidence')
        .map(async ({ id }) => (await house().door().call('_hca/artifact/get', { id })).base64),
    );
    const texts = kept.map((base64) => Buffer.from(base64, 'base64').toString()).join('\n');
    expect(escalation?.evidence.length).toBeGreaterThan(0);
    const found = escalation?.evidence.filter((id) => texts.includes(id)) ?? [];
    expect(found).toEqual(escalation?.evidence);
    return { evidence: found, artifact: escalation?.artifact?.id };
  });

  verifies('L2-ESC-04', 'each parent decided what to do, and its own state followed', async () => {
    const { entries, view } = await flow();
    const decisions = saidBy(entries, 'arbitrate').map(({ holon, data }) => ({ holon, decision: data.decision }));
    expect(decisions.map(({ holon }) => holon)).toEqual(['engineering', 'root']);
    const sent = toldIn(entries).filter(({ method }) => method === 'hca/task/escalate');
    expect(sent.map(({ from, to }) => [from, to])).toEqual([
      ['scripted', 'engineering'],
      ['engineering', 'root'],
      ['root', 'user'],
    ]);
    expect(view).toMatchObject({ state: 'escalated', escalation: { reason: 'child_failed' } });
    expect(firstSaid(entries, 'collect', 'root').text).toContain('a child failed');
    return { decisions, root: view.state };
  });

  performs('escalation-with-evidence', 1, async () => {
    const { view, task } = await flow();
    const { escalation, attempts } = await house().door().call('_hca/task/escalation', { task });
    expect(view.outcome).toBe('escalated');
    expect(escalation?.artifact).toEqual((await leaf()).artifact);
    expect(attempts.filter(({ holon }) => holon === 'scripted')).toHaveLength(3);
    expect(escalation?.evidence.length).toBeGreaterThan(0);
    return { reason: escalation?.reason, artifact: escalation?.artifact?.id, evidence: escalation?.evidence };
  });

  performs('escalation-with-evidence', 2, async () => {
    const { task, view } = await flow();
    const next = await house().door().call('_hca/task/retry', { task, retries: 1 });
    const again = await house().ended(next.task);
    expect(next).toMatchObject({ continues: task, started_from: view.artifact });
    expect(again.view).toMatchObject({ continues: task, outcome: 'escalated' });
    return { continues: next.continues, started_from: next.started_from?.id };
  });
});
