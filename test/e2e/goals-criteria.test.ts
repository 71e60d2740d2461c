// Criteria as a person gives them, and budgets that end the work: through the whole house.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRealHouse, type RealHouse } from '#test/support/real-house.ts';
import { linted, nodeTest, project } from '#test/support/small-project.ts';

let house: RealHouse;
beforeAll(async () => {
  house = await openRealHouse();
});
afterAll(() => house.close());

const GOAL = 'make lint pass';
const NUMBERS = { type: 'object', required: ['port'], properties: { port: { type: 'integer' } } };
const files = { ...linted(), 'settings.yaml': 'port: 8080\n', 'README.md': '# Small\n' };

describe('criteria that are given', () => {
  it.each([
    ['a command', { command: 'test -f README.md' }],
    ['a command and its exit code', { command: 'exit 3', exit: 3 }],
    ['a file that must be there and match', { file: 'README.md', matches: '^# Small$' }],
    ['a file that must not be there', { file: 'dist/out.js', exists: false }],
    ['a schema', { path: 'settings.yaml', schema: NUMBERS }],
    ['a limit of the change', { diff: { max_files: 1, allow: ['src/**'] } }],
  ])('%s: met', async (name, given) => {
    const workspace = project(`given ${name}`, files);
    const { view } = await house.run({ goal: GOAL, workspace, criteria: [{ id: 'mine', ...given }] });
    expect(view.outcome, view.escalation?.detail).toBe('accepted');
    expect(view.criteria.find((row) => row.id === 'mine')).toMatchObject({ result: 'met', level: 'must' });
    expect(view.criteria.find((row) => row.id === 'lint')).toMatchObject({ result: 'met' });
  });

  it.each([
    ['a command', { command: 'test -f LICENSE' }, 'it fails'],
    ['a command that is not there', { command: 'no-such-command' }, 'cannot be run here'],
    ['a file', { file: 'README.md', matches: '^# Large$' }, 'does not match'],
    ['a schema', { path: 'README.md', schema: NUMBERS }, 'must be object'],
    ['a limit of the change', { diff: { max_lines: 1 } }, 'at most 1 may'],
  ])('%s: not met, so it is not accepted', async (name, given, why) => {
    const workspace = project(`given wrong ${name}`, files);
    const { view } = await house.run({ goal: GOAL, workspace, criteria: [{ id: 'mine', ...given }] });
    expect(view.outcome).toBe('escalated');
    expect(`${view.criteria.find((row) => row.id === 'mine')?.reason} ${view.escalation?.detail}`).toContain(why);
  });

  it('one that should hold and does not: accepted with a reservation that says so', async () => {
    const workspace = project('given should', files);
    const criteria = [{ id: 'licence', file: 'LICENSE', level: 'should' }];
    const { view } = await house.run({ goal: GOAL, workspace, criteria });
    expect(view.outcome, view.escalation?.detail).toBe('accepted');
    expect(view.verdict?.result).toBe('partial');
    expect(view.reservations.join()).toMatch(/licence.*not there/);
  });

  it('one that is wrong is refused with its field', async () => {
    const asked = { goal: GOAL, workspace: project('given bad', files), criteria: ['true', { file: '../x' }] };
    await expect(house.run(asked)).rejects.toMatchObject({ data: { field: expect.stringContaining('criteria[1]') } });
  });
});

describe('a budget', () => {
  it('of three calls is not enough: said so, and never overspent', async () => {
    const workspace = project('three calls', linted({ test: 'node --test' }));
    const { view } = await house.run({ goal: 'make lint and tests pass', workspace, budget: 'calls=3' });
    expect(view.outcome).toBe('escalated');
    expect(view.spent.calls).toBeLessThanOrEqual(3);
    expect(view.escalation?.detail).toMatch(/budget|calls/);
  });

  it('of a second of tool time ends a test that takes a minute, and never overspends', async () => {
    const slow = nodeTest("test('slow', () => new Promise((resolve) => setTimeout(resolve, 60_000)));");
    const workspace = project('one second', { ...linted({ test: 'node --test' }), 'test/slow.test.js': slow });
    const { view } = await house.run({ goal: 'make lint and tests pass', workspace, budget: 'time=1s' });
    expect(view.outcome).toBe('escalated');
    expect(view.spent.time_ms).toBeLessThanOrEqual(1000);
    expect((view.ended_at ?? 0) - view.opened_at).toBeLessThan(60_000);
  });

  it('of one attempt is one attempt', async () => {
    const workspace = project('one attempt', files);
    const { view } = await house.run({ goal: GOAL, workspace, budget: 'attempts=1', criteria: [{ file: 'LICENSE' }] });
    expect(view.outcome).toBe('escalated');
    expect(view.spent.attempts).toBeLessThanOrEqual(1);
  });
});
