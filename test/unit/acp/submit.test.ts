// Submitting through the door: idempotent by the client's id, safe against a crash in the middle, never a task of somebody else.
import { afterEach, describe, expect, it } from 'vitest';
import { resendSubmitted } from '#functions/acp/step.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';

const doors: TestDoor[] = [];
const open = async (...options: Parameters<typeof testDoor>) => {
  const at = await testDoor(...options);
  doors.push(at);
  return at;
};
afterEach(async () => {
  for (const at of doors.splice(0)) await at.close();
});

const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const ASKED = { goal: 'take the turn', workspace: '/w' };

describe('submitting', () => {
  it('gives the goal to the root holon, which brings it to an end', async () => {
    const at = await open();
    const made = await at.ask('_hca/task/submit', { ...ASKED, retries: 2, budget: 'calls=50' });
    await at.house.idle();
    const view = await at.ask('_hca/task/get', { task: made.task });
    expect(view).toMatchObject({
      outcome: 'accepted',
      holon: 'root',
      retries: 2,
      budget: { calls: 50 },
      workspace: '/w',
    });
    expect(view.tree.children.length).toBeGreaterThan(0);
    expect(made.deadline).toBeGreaterThan(0);
    expect(made.skipped).toBe(2);
  });

  it('makes one task of the same id, however often it is sent', async () => {
    const at = await open();
    const first = await at.ask('_hca/task/submit', { ...ASKED, id: ID });
    const again = await at.ask('_hca/task/submit', { ...ASKED, id: ID });
    await at.house.idle();
    const late = await at.ask('_hca/task/submit', { ...ASKED, id: ID });
    expect([first.created, again.created, late.created]).toEqual([true, false, false]);
    expect((await at.ask('_hca/task/list', {})).tasks).toHaveLength(1);
    const { entries } = await at.ask('_hca/task/journal', { task: ID });
    expect(entries.filter((entry) => entry.note === `${ID}:0:0` && entry.step === 'acp')).toHaveLength(1);
  });

  it('refuses an id that belongs to another goal', async () => {
    const at = await open();
    await at.ask('_hca/task/submit', { ...ASKED, id: ID });
    await expect(at.ask('_hca/task/submit', { ...ASKED, goal: 'take the left', id: ID })).rejects.toMatchObject({
      data: { code: 'HcaRefused', field: 'id' },
    });
  });

  it('offers again what was stored but never sent', async () => {
    const at = await open();
    const publish = at.door.ports.messages.publish;
    at.door.ports.messages = { publish: () => Promise.reject(new Error('the process died here')) };
    await expect(at.ask('_hca/task/submit', { ...ASKED, id: ID })).rejects.toMatchObject({ code: -32603 });
    at.door.ports.messages = { publish };
    expect(await resendSubmitted(at.door.ports, OWNER.tenant)).toBe(1);
    await at.house.idle();
    expect((await at.ask('_hca/task/get', { task: ID })).outcome).toBe('accepted');
    expect(await resendSubmitted(at.door.ports, OWNER.tenant)).toBe(0);
  });

  it('rejects a goal that nothing here can do, and says what can be done', async () => {
    const at = await open();
    const made = await at.ask('_hca/task/submit', { ...ASKED, goal: 'write a poem about the sea' });
    await at.house.idle();
    const view = await at.ask('_hca/task/get', { task: made.task });
    expect(view.outcome).toBe('rejected');
    expect(view.rejected?.reason).toBe('no_capability');
    expect(view.rejected?.detail).toContain('takes the turn');
  });
});

describe('retrying and cancelling', () => {
  it('makes a successor that says what it continues', async () => {
    const at = await open({ read: () => 'not yet' });
    const made = await at.ask('_hca/task/submit', { ...ASKED, retries: 1 });
    await at.house.idle();
    expect((await at.ask('_hca/task/get', { task: 'last' })).outcome).toBe('escalated');
    const next = await at.ask('_hca/task/retry', { task: made.task });
    expect(next).toMatchObject({ continues: made.task, created: true });
    await at.house.idle();
    expect((await at.ask('_hca/task/get', { task: 'last' })).continues).toBe(made.task);
  });

  it('neither retries what is open nor cancels what is over', async () => {
    const at = await open({ started: false });
    const made = await at.ask('_hca/task/submit', ASKED);
    await expect(at.ask('_hca/task/retry', { task: made.task })).rejects.toMatchObject({
      data: { code: 'HcaRefused' },
    });
    at.house.start();
    await at.house.idle();
    await expect(at.ask('_hca/task/cancel', { task: made.task })).rejects.toMatchObject({
      data: { code: 'HcaRefused' },
    });
  });

  it('cancels a task once, however often it is asked', async () => {
    const at = await open({ started: false });
    const made = await at.ask('_hca/task/submit', ASKED);
    await at.ask('_hca/task/cancel', { task: made.task });
    await at.ask('_hca/task/cancel', { task: made.task });
    at.house.start();
    await at.house.idle();
    expect((await at.ask('_hca/task/get', { task: made.task })).outcome).toBe('cancelled');
    const { entries } = await at.ask('_hca/task/journal', { task: made.task });
    expect(entries.filter((entry) => entry.text.startsWith('cancel asked'))).toHaveLength(1);
    expect(await at.ask('_hca/task/cancel', { task: made.task })).toMatchObject({ state: 'cancelled' });
  });
});
