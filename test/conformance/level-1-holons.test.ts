// Level 1, holons: identity, state, cards and the shape of the holarchy, before and after a restart of the host.
import { expect } from 'vitest';
import { type Card, once, taskOf } from './house.ts';
import { saidBy, toldIn } from './trail.ts';
import { scenario, verifies } from './verifies.ts';

scenario('Level 1: holons', (house) => {
  const cards = async () => (await house().door().call('_hca/holon/list', {})).holons;
  const status = (holon: string) => house().door().call('_hca/holon/status', { holon });
  const refused = async (card: Card) => {
    const fault = await house()
      .add(card)
      .catch((error: unknown) => error);
    expect(fault).toMatchObject({
      code: 'HcaBadInput',
      field: expect.stringMatching(/^card/),
      remedy: expect.stringMatching(/./),
    });
    return String(fault);
  };
  const card = once(() => house().add({ id: 'scripted', families: ['certify-fail', 'certify-stall'] }));
  const flow = once(async () => {
    await card();
    return house().run('certify: fail review 2 times');
  });

  const known = async () => {
    const { view } = await flow();
    const leaf = await house()
      .door()
      .call('_hca/task/get', { task: taskOf(view.tree, 'scripted').record });
    return { cards: await cards(), leaf, instance: (await house().door().call('_hca/ping', {})).instance };
  };
  const restarted = once(async () => {
    const before = await known();
    await house().restart();
    return { before, after: await known() };
  });

  verifies('L1-ID-01', 'no two cards share an id, and adding one again replaces it', async () => {
    await card();
    await card();
    const ids = (await cards()).map(({ id }) => id);
    await house().add({ id: 'scripted', families: ['certify-fail', 'certify-stall'], title: 'again' });
    expect(new Set(ids).size).toBe(ids.length);
    expect((await cards()).map(({ id }) => id).sort()).toEqual(ids.toSorted());
    const file = await house().door().call('_hca/holarchy/show', {});
    const twice = { ...file, holons: [...file.holons, file.holons.at(-1)!] };
    await expect(house().door().call('_hca/holarchy/apply', { file: twice })).rejects.toMatchObject({
      code: 'HcaBadInput',
    });
    return { ids };
  });

  verifies('L1-ID-02', 'the next host has the same holons', async () => {
    const { before, after } = await restarted();
    expect(after.instance !== before.instance).toBe(house().isProcess);
    expect(after.cards).toEqual(before.cards);
    return { ids: before.cards.map(({ id }) => id) };
  });

  verifies('L1-ID-03', 'each message is answered by the holon whose id it is addressed to', async () => {
    const { entries } = await flow();
    const offers = toldIn(entries).filter(({ method }) => method === 'hca/task/delegate');
    expect(offers.map(({ to }) => to)).toEqual(['root', 'engineering', 'scripted']);
    expect(saidBy(entries, 'answer').map(({ holon }) => holon)).toEqual(offers.map(({ to }) => to));
    const asked = toldIn(entries).filter(({ method }) => method === 'hca/review/request');
    expect(saidBy(entries, 'judge').map(({ holon }) => holon)).toEqual(asked.map(({ to }) => to));
    await expect(house().door().call('_hca/holon/card', { holon: 'nobody' })).rejects.toMatchObject({
      code: 'HcaNotFound',
    });
    return { addressed: offers.map(({ to }) => to) };
  });

  verifies('L1-ST-01', 'what three verdict messages brought is all there, also in the next host', async () => {
    const { before, after } = await restarted();
    const results = before.leaf.attempts.map(({ iteration, result }) => ({ iteration, result }));
    expect(results.map(({ result }) => result)).toEqual(['fail', 'fail', 'pass']);
    expect(after.leaf).toEqual(before.leaf);
    return { attempts: results };
  });

  const phases = once(async () => {
    await flow();
    const before = await status('scripted');
    const task = await house().submit('certify: stall for 600 seconds');
    await house().until(task, ({ holon, state }) => holon === 'scripted' && state === 'working');
    const during = await status('scripted');
    await house().door().call('_hca/task/cancel', { task });
    await house().ended(task);
    return { before, during, after: await status('scripted') };
  });

  verifies('L1-ST-02', 'ready before, working while it works, ready after', async () => {
    const { before, during, after } = await phases();
    const activities = [before, during, after].map(({ activity }) => activity);
    expect(activities).toEqual(['ready', 'working', 'ready']);
    return { activities };
  });

  verifies('L1-ST-03', 'the status question is answered with what is being done', async () => {
    const { before, during, after } = await phases();
    expect([before.open, during.open, after.open]).toEqual([0, 1, 0]);
    expect(during).toMatchObject({ holon: 'scripted', state: 'ready', doing: [{ state: 'working', iteration: 1 }] });
    return { during };
  });

  verifies('L1-CAP-01', 'every holon has a card that can be fetched by id', async () => {
    const all = await cards();
    for (const card of all) expect(await house().door().call('_hca/holon/card', { holon: card.id })).toEqual(card);
    return { cards: all.length };
  });

  verifies('L1-CAP-02', 'every leaf lists its tools', async () => {
    const leaves = (await cards()).filter(({ role }) => role === 'leaf');
    const tools = leaves.map((card) => ({ holon: card.id, tools: card.tools }));
    expect(tools.filter((one) => one.tools.length === 0)).toEqual([]);
    return { tools };
  });

  verifies('L1-CAP-03', 'coordinators may delegate, leaves may not', async () => {
    const all = await cards();
    for (const { role, can_delegate } of all) expect(can_delegate).toBe(role !== 'leaf');
    return { can_delegate: all.filter(({ can_delegate }) => can_delegate).map(({ id }) => id) };
  });

  verifies('L1-HIE-01', 'one root; a second one is refused', async () => {
    const roots = (await cards()).filter(({ role }) => role === 'root').map(({ id }) => id);
    expect(roots).toEqual(['root']);
    return { roots, refused: await refused({ id: 'second', role: 'root', parent: null, can_delegate: true }) };
  });

  verifies('L1-HIE-02', 'all others have a parent that is there; one without is refused', async () => {
    const all = await cards();
    const ids = all.map(({ id }) => id);
    for (const card of all.filter(({ role }) => role !== 'root')) expect(ids).toContain(card.parent);
    const orphans = [await refused({ id: 'stray', parent: null }), await refused({ id: 'stray', parent: 'nobody' })];
    return { refused: orphans };
  });

  verifies('L1-HIE-03', 'every way up ends at the root; a circle is refused', async () => {
    const all = new Map((await cards()).map((card) => [card.id, card]));
    const up = (id: string, seen: string[] = []): string[] => {
      expect(seen).not.toContain(id);
      const parent = all.get(id)?.parent ?? null;
      return parent === null ? [...seen, id] : up(parent, [...seen, id]);
    };
    for (const id of all.keys()) expect(up(id).at(-1)).toBe('root');
    const domain: Omit<Card, 'id'> = { role: 'domain', can_delegate: true, harness: null, tools: [] };
    await house().add({ ...domain, id: 'upper', parent: 'root' });
    await house().add({ ...domain, id: 'lower', parent: 'upper' });
    return { longest: up('lower'), refused: await refused({ ...domain, id: 'upper', parent: 'lower' }) };
  });
});
