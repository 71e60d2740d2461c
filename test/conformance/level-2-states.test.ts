// Level 2, states: every journal of this house against the tables of states, holons that drain and go offline, and what a watcher sees.
import { expect } from 'vitest';
import { nodesOf, once, type Ran, taskOf } from './house.ts';
import { MOVES, REVIEW_MOVES } from './states.ts';
import { phasesOf } from './trail.ts';
import { scenario, verifies } from './verifies.ts';

const STALL = 'certify: stall for 600 seconds';
const CARD = { id: 'scripted', families: ['certify-accept', 'certify-never', 'certify-counter', 'certify-stall'] };

scenario('Level 2: states', (house) => {
  const card = once(() => house().add(CARD));
  const status = () => house().door().call('_hca/holon/status', { holon: 'scripted' });
  const stalled = async () => {
    await card();
    const task = await house().submit(STALL);
    const seen = await house().until(task, ({ holon, state }) => holon === 'scripted' && state === 'working');
    return { task, record: seen.record };
  };
  const cancelled = once(async () => {
    const { task, record } = await stalled();
    const during = await house().door().call('_hca/task/get', { task });
    const busy = await status();
    await house().door().call('_hca/task/cancel', { task });
    return { ran: await house().ended(task), record, during, busy };
  });
  const all = once(async () => {
    await card();
    const goals = ['certify: accept', 'certify: always fail review', 'certify: counter', 'write me a poem'];
    const ran = await Promise.all(goals.map((goal) => house().run(goal)));
    return [...ran, (await cancelled()).ran];
  });

  verifies('L2-FSM-01', 'whatever the end, no task and no review made a move that is not in the table', async () => {
    const ran = await all();
    const ends = ran.map(({ view }) => view.state);
    expect(ends).toEqual(['completed', 'escalated', 'escalated', 'rejected', 'cancelled']);
    const moves = ran.flatMap(movesIn);
    expect(moves.filter(({ from, to, table }) => !table[from]?.includes(to))).toEqual([]);
    return { ends, moves: [...new Set(moves.map(({ from, to }) => `${from} ${to}`))].sort() };
  });

  verifies(
    'L2-FSM-02',
    'a holon drains while it works, takes nothing new, goes offline, and comes back as a new registration',
    async () => {
      const { task, record } = await stalled();
      const become = (state: 'ready' | 'draining' | 'offline') => house().add({ ...CARD, state });
      const refused = [await become('offline').catch((error: unknown) => String(error))];
      await become('draining');
      const draining = await status();
      expect(draining).toMatchObject({ state: 'draining', activity: 'working', doing: [{ record }] });
      expect((await house().run('certify: accept')).view.outcome).not.toBe('accepted');
      refused.push(await become('ready').catch((error: unknown) => String(error)));
      for (const text of refused) expect(text).toContain('cannot become');
      await house().door().call('_hca/task/cancel', { task });
      await house().ended(task);
      expect(await status()).toMatchObject({ state: 'draining', activity: 'ready', open: 0 });
      await become('offline');
      expect((await house().run('certify: accept')).view.outcome).not.toBe('accepted');
      await become('ready');
      expect((await house().run('certify: accept')).view.outcome).toBe('accepted');
      return { refused, draining };
    },
  );

  verifies('L2-FSM-03', 'status and journal show the same state, while it lasts and afterwards', async () => {
    const { ran, record, during, busy } = await cancelled();
    expect(taskOf(during.tree, 'scripted')).toMatchObject({ record, state: 'working', outcome: 'open' });
    expect(busy).toMatchObject({ activity: 'working', doing: [{ record, state: 'working' }] });
    for (const node of nodesOf(ran.view.tree).filter(({ kind }) => kind === 'task')) {
      expect(node.state).toBe('cancelled');
      expect(phasesOf(ran.entries, node.record).at(-1)).toBe('cancelled');
    }
    const versions = ran.entries.filter((entry) => entry.record === record && entry.kind === 'task');
    expect(versions.map(({ version }) => version)).toEqual(versions.map((_, at) => at + 1));
    return { phases: phasesOf(ran.entries, record), busy };
  });
});

/** Every change of state that a journal shows, with the table it must be in. */
const movesIn = ({ view, entries }: Ran) =>
  nodesOf(view.tree).flatMap(({ record, kind }) => {
    const table = kind === 'task' ? MOVES : REVIEW_MOVES;
    const phases = phasesOf(entries, record);
    return phases.slice(1).map((to, at) => ({ record, from: phases[at] ?? '', to, table }));
  });
