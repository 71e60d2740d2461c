// The scenarios of a task that ends well: at the first attempt, and after a revision with feedback.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { once, taskOf } from './house.ts';
import { plansOf, saidBy } from './trail.ts';
import { performs, scenario } from './verifies.ts';

scenario('Scenarios: accepted', (house) => {
  /** One task at a time is room enough for one task. */
  const card = once(() => house().add({ id: 'scripted', families: ['certify-accept', 'certify-fail'], capacity: 1 }));

  performs('happy-path', 1, async () => {
    await card();
    const workspace = house().folder();
    const { task, view } = await house().run('certify: accept', { workspace });
    const leaf = await house()
      .door()
      .call('_hca/task/get', { task: taskOf(view.tree, 'scripted').record });
    expect(leaf.attempts.map(({ result }) => result)).toEqual(['pass']);
    expect(view).toMatchObject({ outcome: 'accepted', verdict: { result: 'pass' }, reservations: [] });
    const files = await house().apply(task);
    expect(files).toEqual(['certified.txt']);
    expect(readFileSync(path.join(workspace, 'certified.txt'), 'utf8')).toBe('done\n');
    return { outcome: view.outcome, attempts: leaf.attempts.length, files };
  });

  performs('revision-with-feedback', 1, async () => {
    await card();
    const { entries, view } = await house().run('certify: fail review 2 times');
    const feedback = plansOf(entries, 'scripted').map(({ data }) => data.feedback);
    const unmet = saidBy(entries, 'revise', 'scripted').map(({ data }) => data.unmet);
    expect(feedback).toEqual([[], ...unmet]);
    for (const list of unmet) expect(String(list)).toContain('reviewed-2');
    expect(saidBy(entries, 'verdict', 'scripted').map(({ data }) => data.result)).toEqual(['fail', 'fail']);
    expect(saidBy(entries, 'accept', 'scripted').map(({ data }) => data.result)).toEqual(['pass']);
    expect(view.outcome).toBe('accepted');
    return { feedback, outcome: view.outcome };
  });
});
