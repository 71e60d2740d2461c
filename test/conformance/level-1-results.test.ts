// Level 1, artifacts and review: what a task that was revised once leaves behind.
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { nodesOf, once, taskOf } from './house.ts';
import { firstSaid, phasesOf, toldIn } from './trail.ts';
import { scenario, verifies } from './verifies.ts';

scenario('Level 1: artifacts and review', (house) => {
  const flow = once(async () => {
    await house().add({ id: 'maker', families: ['certify-fail'] });
    return house().run('certify: fail review 1 times');
  });
  const artifacts = once(async () => {
    const { task } = await flow();
    return (await house().door().call('_hca/artifact/list', { task })).artifacts;
  });
  const reviews = once(async () => {
    const { task } = await flow();
    return (await house().door().call('_hca/task/verdict', { task })).reviews;
  });

  verifies('L1-ART-01', 'each iteration made a version of its own', async () => {
    const changes = (await artifacts()).filter(({ kind, holon_id }) => kind === 'change-set' && holon_id === 'maker');
    expect(changes.map(({ iteration }) => iteration)).toEqual([1, 2]);
    expect(new Set(changes.map(({ sha256 }) => sha256)).size).toBe(2);
    expect(changes.every(({ version }) => version >= 1)).toBe(true);
    return { versions: changes.map(({ id, version }) => ({ id, version })) };
  });

  verifies(
    'L1-ART-02',
    'the bytes come back by id, with the hash that was promised; an unknown id is an error',
    async () => {
      const { view } = await flow();
      const { meta, base64 } = await house().door().call('_hca/artifact/get', { id: view.artifact!.id });
      const bytes = Buffer.from(base64, 'base64');
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(meta.sha256);
      await expect(house().door().call('_hca/artifact/get', { id: 'no/such/artifact' })).rejects.toMatchObject({
        code: 'HcaNotFound',
      });
      return { id: meta.id, bytes: bytes.length, sha256: meta.sha256 };
    },
  );

  verifies('L1-ART-03', 'every artifact of the task names its task and the holon that made it', async () => {
    const { view } = await flow();
    const tasks = nodesOf(view.tree).filter(({ kind }) => kind === 'task');
    const holons = nodesOf(view.tree).map(({ holon }) => holon);
    for (const { task_id, holon_id } of await artifacts()) {
      expect(tasks.map(({ record }) => record)).toContain(task_id);
      expect(holons).toContain(holon_id);
    }
    const made = (await artifacts()).map(({ id, task_id, holon_id }) => ({ id, task_id, holon_id }));
    expect(made.length).toBeGreaterThan(0);
    return { made };
  });

  verifies('L1-REV-01', 'on every level the review comes before the acceptance', async () => {
    const { view, entries } = await flow();
    const seen = nodesOf(view.tree).filter(({ kind }) => kind === 'task');
    for (const { record } of seen) {
      const phases = phasesOf(entries, record);
      expect(phases.indexOf('reviewing')).toBeGreaterThan(-1);
      expect(phases.lastIndexOf('reviewing')).toBeLessThan(phases.indexOf('accepting'));
    }
    return { phases: phasesOf(entries, taskOf(view.tree, 'maker').record) };
  });

  verifies('L1-REV-02', 'every review ended in a verdict that was told to who asked', async () => {
    const { entries } = await flow();
    const judged = (await reviews()).map(({ review, producer, verdict }) => ({
      review,
      producer,
      result: verdict?.result,
    }));
    expect(judged.map(({ result }) => result)).toEqual(['fail', 'pass', 'pass', 'pass']);
    const told = toldIn(entries).filter(({ method }) => method === 'hca/review/verdict');
    expect(told.map(({ to }) => to)).toEqual(judged.map(({ producer }) => producer));
    return { judged };
  });

  verifies('L1-REV-03', 'pass, fail and partial are all told', async () => {
    const wish = { file: 'certified.txt', matches: '^nobody writes this$', level: 'should', text: 'a wish' };
    const { view, entries } = await house().run('certify: fail review 0 times', { criteria: [wish] });
    expect(view).toMatchObject({ outcome: 'accepted', verdict: { result: 'partial' } });
    expect(view.reservations).toHaveLength(1);
    const results = [...(await reviews()).map(({ verdict }) => verdict?.result), view.verdict?.result];
    expect(new Set(results)).toEqual(new Set(['fail', 'pass', 'partial']));
    return { results, reservations: view.reservations, accepted: firstSaid(entries, 'accept').text };
  });
});
