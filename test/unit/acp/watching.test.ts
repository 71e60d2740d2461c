// What is read back through the door: names of tasks, the journal in pages without a gap or a double, trees, verdicts, changes.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Entry } from '#shared/contracts/journal.ts';
import { DEFAULT_BUDGET } from '#shared/domain/budget.ts';
import { changeSet, fileState } from '#shared/domain/change-set.ts';
import { newTask } from '#shared/domain/records.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';

let at: TestDoor;
let task: string;
const applied: string[] = [];

beforeAll(async () => {
  at = await testDoor({
    workspaces: {
      apply: async (folder, _changes, mode) => {
        applied.push(`${mode} ${folder}`);
        return mode === '3way'
          ? { conflicts: [{ path: 'a.txt', reason: 'both changed it', sides: [] }] }
          : { applied: ['a.txt'] };
      },
    },
  });
  task = (await at.ask('_hca/task/submit', { goal: 'take the turn', workspace: '/w' })).task;
  await at.house.idle();
});
afterAll(() => at.close());

describe('naming a task', () => {
  it('takes the id, last, a beginning or an end of it, in small letters too', async () => {
    for (const name of [task, 'last', task.slice(0, 12), task.slice(-6), task.slice(-6).toLowerCase()]) {
      expect((await at.ask('_hca/task/get', { task: name })).task, name).toBe(task);
    }
  });

  it('refuses what fits two tasks, and says which', async () => {
    const other = await at.ask('_hca/task/submit', { goal: 'take the left', workspace: '/w' });
    await at.house.idle();
    const shared = [...task].findIndex((letter, index) => letter !== other.task[index]);
    await expect(at.ask('_hca/task/get', { task: task.slice(0, shared) })).rejects.toMatchObject({
      message: expect.stringContaining(other.task),
      data: { code: 'HcaBadInput', field: 'task' },
    });
  });

  it('lets a child be asked for, and takes a review for the task it judged', async () => {
    const { tree } = await at.ask('_hca/task/tree', { task });
    const child = tree.children.find((node) => node.kind === 'task');
    expect((await at.ask('_hca/task/get', { task: child?.record ?? '' })).holon).toBe(child?.holon);
    const review = tree.children.find((node) => node.kind === 'review');
    expect((await at.ask('_hca/task/get', { task: review?.record ?? '' })).task).toBe(task);
  });
});

describe('the journal', () => {
  it('is the same in pages of any size, without a gap or a double', async () => {
    const whole = await at.ask('_hca/task/journal', { task, limit: 1000 });
    expect(whole.done).toBe(true);
    expect(whole.entries.length).toBeGreaterThan(10);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (limit) => {
        const seen: Entry[] = [];
        let cursor = '';
        for (let page = 0; page < 1000; page += 1) {
          const slice = await at.ask('_hca/task/journal', { task, limit, cursor });
          seen.push(...slice.entries);
          cursor = slice.cursor;
          if (slice.done) break;
        }
        expect(seen).toEqual(whole.entries);
      }),
      { numRuns: 20 },
    );
  });
});

describe('outcomes', () => {
  it('shows the tree with reviews, the verdict and what was spent', async () => {
    const view = await at.ask('_hca/task/get', { task });
    expect(view.outcome).toBe('accepted');
    expect(view.spent.calls).toBeGreaterThan(0);
    expect(view.criteria.every((row) => row.result === 'met')).toBe(true);
    const { reviews, verdict } = await at.ask('_hca/task/verdict', { task });
    expect(verdict?.result).toBe('pass');
    expect(reviews.length).toBeGreaterThan(1);
    for (const review of reviews) expect(review.evaluator).not.toBe(review.producer);
  });

  it('knows what each holon is doing', async () => {
    expect(await at.ask('_hca/holon/status', { holon: 'turner' })).toMatchObject({
      state: 'ready',
      activity: 'ready',
      open: 0,
    });
  });

  it('keeps the holarchy one: a second root and a stray card are refused', async () => {
    const { holons, ...rest } = await at.ask('_hca/holarchy/show', {});
    const [first] = holons;
    await expect(
      at.ask('_hca/holon/add', { card: { ...holons[0]!, id: 'stray', role: 'leaf', parent: 'nobody' } }),
    ).rejects.toMatchObject({
      data: { field: expect.stringContaining('card') },
    });
    const twoRoots = { ...rest, holons: [...holons, { ...first!, id: 'root2', role: 'root' as const, parent: null }] };
    await expect(at.ask('_hca/holarchy/apply', { file: twoRoots })).rejects.toMatchObject({
      data: { code: 'HcaBadInput' },
    });
    expect(await at.ask('_hca/holarchy/apply', { file: { ...rest, holons } })).toMatchObject({
      changes: [],
      applied: false,
    });
  });
});

describe('changes', () => {
  const bytes = (text: string) => fileState(new TextEncoder().encode(text), 'file');
  const changed = async (state: 'completed' | 'escalated') => {
    const id = at.house.ports.clock.ulid();
    const changes = changeSet('a'.repeat(64), [{ path: 'a.txt', before: bytes('one\n'), after: bytes('one\ntwo\n') }]);
    const meta = await at.house.ports.artifacts.put('local', {
      task: id,
      holon: 'root',
      iteration: 1,
      name: 'change.json',
      kind: 'change-set',
      media_type: 'application/json',
      from: [],
      body: JSON.stringify(changes),
    });
    const spec = {
      goal: 'take the turn',
      family: null,
      criteria: [],
      workspace: { root: '/w', tree: 'a'.repeat(64) },
      start_from: null,
    };
    const constraints = {
      budget: DEFAULT_BUDGET,
      retries: 1,
      deadline: 1,
      policy: await at.house.ports.holons.policy('local'),
    };
    const record = newTask(
      { tenant: OWNER.tenant, id, holon: 'root', now: 1 },
      { from: 'user', parent: null, continues: null, state: 'submitted', machine: 'coordinator' },
      { spec, constraints },
    );
    await at.house.ports.tasks.put({
      ...record,
      state,
      artifact: { id: meta.id, version: 1, sha256: meta.sha256, kind: 'change-set' },
    });
    return id;
  };

  it('shows a change as a git patch and per file', async () => {
    const answer = await at.ask('_hca/task/diff', { task: await changed('completed') });
    expect(answer.files).toEqual([{ path: 'a.txt', change: 'modified', added: 1, removed: 0, binary: false }]);
    expect(answer.patch).toContain('+two');
  });

  it('applies what was accepted; anything else only when it is said', async () => {
    const good = await changed('completed');
    expect(await at.ask('_hca/task/apply', { task: good })).toMatchObject({ files: ['a.txt'], conflicts: [] });
    expect(await at.ask('_hca/task/apply', { task: good, mode: '3way' })).toMatchObject({
      files: [],
      conflicts: [{ path: 'a.txt' }],
    });
    const bad = await changed('escalated');
    await expect(at.ask('_hca/task/apply', { task: bad })).rejects.toMatchObject({ data: { code: 'HcaRefused' } });
    expect(await at.ask('_hca/task/apply', { task: bad, unaccepted: true, mode: 'check' })).toMatchObject({
      mode: 'check',
    });
    expect(applied).toEqual(['write /w', '3way /w', 'check /w']);
  });

  it('gives the bytes of an artifact in pieces', async () => {
    const [meta] = (await at.ask('_hca/artifact/list', { task: await changed('completed') })).artifacts;
    const pieces: string[] = [];
    let offset: number | null = 0;
    while (offset !== null) {
      const piece: { base64: string; next: number | null } = await at.ask('_hca/artifact/get', {
        id: meta?.id ?? '',
        offset,
        length: 17,
      });
      pieces.push(atob(piece.base64));
      offset = piece.next;
    }
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join('')).toHaveLength(meta?.bytes ?? 0);
  });
});
