// Level 2, negotiation: a child accepts, rejects or counters; its parent answers; somebody does the task in the end.
import { expect } from 'vitest';
import { nodesOf, once, taskOf } from './house.ts';
import { phasesOf, saidBy, toldIn } from './trail.ts';
import { performs, scenario, verifies } from './verifies.ts';

/** 7000 calls: the leaf is offered 4480 of them (4/5 of 4/5), needs 5000, and its parent has 1120 left to give. */
const ENOUGH = { budget: 'calls=7000' };

scenario('Level 2: negotiation', (house) => {
  const families = ['certify-accept', 'certify-counter', 'certify-missing-tool'];
  const card = once(() => house().add({ id: 'scripted', families }));
  const run = (goal: string, asked = {}) => once(() => card().then(() => house().run(goal, asked)));
  const accepted = run('certify: accept');
  const granted = run('certify: counter', ENOUGH);
  const denied = run('certify: counter');
  const rejected = run('certify: need a missing tool');
  const answers = async (ran: typeof accepted) => saidBy((await ran()).entries, 'answer', 'scripted');
  const replies = async (ran: typeof accepted) =>
    (await ran()).entries.map(({ text }) => text).filter((text) => text.startsWith('the parent answers'));

  verifies('L2-NEG-01', 'a child that accepts starts to plan', async () => {
    const { entries, view } = await accepted();
    const [answer] = await answers(accepted);
    expect(answer).toMatchObject({ state: 'agreed', data: { answer: { answer: 'accept' } } });
    const phases = phasesOf(entries, taskOf(view.tree, 'scripted').record);
    expect(phases.slice(0, 4)).toEqual(['offered', 'agreed', 'planning', 'working']);
    return { answer: answer?.data.answer, phases };
  });

  verifies('L2-NEG-02', 'a child that rejects does nothing for the task', async () => {
    const { entries, view } = await rejected();
    const { record, state } = taskOf(view.tree, 'scripted');
    expect(state).toBe('rejected');
    expect(phasesOf(entries, record)).toEqual(['offered', 'rejected']);
    return { record, state };
  });

  verifies('L2-NEG-03', 'a child that needs more than it is offered says what it needs', async () => {
    const [first] = await answers(granted);
    expect(first).toMatchObject({
      state: 'countered',
      data: { answer: { answer: 'counter', budget: { calls: 5002 } } },
    });
    expect(first?.data.budget).toMatchObject({ calls: 4480 });
    return { offered: first?.data.budget, counter: first?.data.answer };
  });

  verifies(
    'L2-NEG-04',
    'the parent accepts what it can afford, refuses what it cannot, and reassigns where it may',
    async () => {
      expect(await replies(granted)).toEqual(['the parent answers the counter: accept']);
      expect((await answers(granted)).at(-1)).toMatchObject({ state: 'agreed', data: { offer: 2 } });
      expect((await granted()).view.outcome).toBe('accepted');
      expect(await replies(denied)).toEqual(['the parent answers the counter: reject']);
      const { task, view } = await denied();
      expect(view.outcome).toBe('escalated');
      await house().later(task, ({ holon, state }) => holon === 'scripted' && state === 'cancelled');
      await house().add({ id: 'sibling', families: [...families, 'certify-edit'] });
      const { entries } = await house().run('certify: counter');
      const reassigned = entries.map(({ text }) => text).filter((text) => text.startsWith('the parent answers'));
      expect(reassigned[0]).toBe('the parent answers the counter: reassign');
      return { granted: await replies(granted), denied: await replies(denied), reassigned };
    },
  );

  verifies('L2-NEG-05', 'the rejection of a leaf and that of the root give a word and a sentence', async () => {
    const [leaf] = await answers(rejected);
    const { view } = await house().run('write me a poem about the sea');
    const reasons = [leaf?.data.answer as { reason: string; detail: string }, view.rejected!];
    expect(reasons.map(({ reason }) => reason)).toEqual(['missing_tool', 'no_capability']);
    for (const { detail } of reasons) expect(detail).toMatch(/\w/);
    return { reasons };
  });

  performs('negotiation-to-a-resolution', 1, async () => {
    const { view, entries } = await granted();
    const said = toldIn(entries).filter(
      ({ method, record }) => method === 'hca/task/negotiate' && record !== view.task,
    );
    expect(said.map(({ from, to }) => [from, to]).slice(1)).toEqual([
      ['scripted', 'engineering'],
      ['engineering', 'scripted'],
      ['scripted', 'engineering'],
    ]);
    expect(view).toMatchObject({ outcome: 'accepted', verdict: { result: 'pass' } });
    return { said, outcome: view.outcome };
  });

  performs('negotiation-to-a-resolution', 2, async () => {
    await house().add({ id: 'busy', families: ['certify-edit'], capacity: 0 });
    await house().add({ id: 'sibling', families: [...families, 'certify-edit'] });
    const { view } = await house().run('certify: edit line 2 as alpha');
    const tasks = nodesOf(view.tree).filter(
      ({ kind, holon }) => kind === 'task' && ['busy', 'sibling'].includes(holon),
    );
    expect(tasks.map(({ holon, state }) => [holon, state])).toEqual([
      ['busy', 'rejected'],
      ['sibling', 'completed'],
    ]);
    expect(view.outcome).toBe('accepted');
    return { tasks: tasks.map(({ holon, state, note }) => ({ holon, state, note })) };
  });
});
