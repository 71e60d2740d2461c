// Valid values of the contracts for the suites of the storage ports: realistic in size, each with its parts to be overridden.
import type { Budget } from '#shared/contracts/budget.ts';
import type { Criterion } from '#shared/contracts/criterion.ts';
import { rootOf } from '#shared/contracts/ids.ts';
import type { Entry } from '#shared/contracts/journal.ts';
import { Lesson } from '#shared/contracts/lesson.ts';
import type { Message } from '#shared/contracts/messages.ts';
import { Policy } from '#shared/contracts/policy.ts';
import type { DelegationRecord, ReviewRecord, TaskRecord } from '#shared/contracts/task.ts';
import { newDelegation, newReview, newTask } from '#shared/domain/records.ts';

export const TENANT = 'local';

/** A budget with every dimension at `n`. */
export const all = (n: number): Budget => ({ usd_micros: n, tokens: n, calls: n, attempts: n, time_ms: n });

/** A well-formed ULID that sorts by `n`. */
export const rootId = (n: number): string => `01J${n.toString().padStart(23, '0')}`;

const TREE = 'a'.repeat(64);
const NOW = 1_700_000_000_000;
const policy = Policy.parse({ tools: { allow: ['git.*', 'shell.run'], deny: [] }, side_effects: 'local_write' });
const constraints = { budget: all(1000), retries: 3, deadline: 2_000_000_000_000, policy };
const workspace = { root: '/home/somebody/project', tree: TREE };

const criterion = (id: string): Criterion => ({
  id,
  text: `the ${id} of the project passes`,
  level: 'must',
  clause: 'make the checks pass',
  goal: true,
  project_check: id,
  check: { kind: 'command', command: `npm run ${id}`, cwd: '.', exit: 0, timeout_ms: 120_000 },
  allows: [],
});
const criteria = ['lint', 'test', 'format', 'types'].map(criterion);

/** A message of the kind that travels most and is largest. */
export const delegate = (id: string, parts: Partial<Message> = {}): Message =>
  ({
    jsonrpc: '2.0',
    id,
    tenant: TENANT,
    from: 'root',
    to: 'code',
    task: rootId(1),
    root_task: rootId(1),
    hop: 1,
    caused_by: 'person',
    sent_at: NOW,
    traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
    method: 'hca/task/delegate',
    params: {
      offer: 1,
      spec: { goal: 'make the linter pass', family: null, criteria, workspace, start_from: null },
      constraints,
    },
    ...parts,
  }) as Message;

/** A small message of another method. */
export const cancel = (id: string): Message => delegate(id, { method: 'hca/task/cancel', params: { cause: 'enough' } });

/** The change a record was last saved with, as large as one that tells a message. */
const last = (id: string, version: number): TaskRecord['last'] => ({
  step: 'plan',
  at: { generation: 0, tick: 3, turn: 0, message: null },
  also: [],
  tell: [delegate(`${id}:${version}:0`)],
  entry: { text: 'planned the work', data: { alternative: 'eslint-fix', rank: 1 } },
  caused_by: 'machine',
  saved_at: NOW,
  output: { word: 'leaf', deadline: 2_000_000_000_000, wave: [] },
  wait: null,
});
const birth = (id: string) => ({ tenant: TENANT, id, holon: 'code', now: NOW });
const spec = { goal: 'make the linter pass', family: 'lint', criteria, workspace, start_from: null };

/** A task that is being planned, some 5 KB. */
export const task = (id: string, parts: Partial<TaskRecord> = {}): TaskRecord => {
  const origin = { from: 'user', parent: null, continues: null, state: 'submitted' as const, machine: 'leaf' as const };
  const version = parts.version ?? 1;
  const fresh = newTask(birth(id), origin, { spec, constraints });
  return { ...fresh, state: 'planning', version, last: last(id, version), iteration: 1, ...parts };
};

/** A delegation of a root task. */
export const delegation = (id: string, parts: Partial<DelegationRecord> = {}): DelegationRecord => {
  const plan = { slot: 0, goal: 'lint', family: 'lint', holon: 'code', criteria: ['lint'], budget: all(10) };
  return { ...newDelegation(birth(id), rootOf(id), { plan, spec, constraints }), version: 1, ...parts };
};

/** A review of a root task. */
export const review = (id: string, parts: Partial<ReviewRecord> = {}): ReviewRecord => {
  const about = {
    task: rootOf(id),
    iteration: 1,
    producer: 'code',
    goal: spec.goal,
    family: 'lint',
    criteria,
    workspace,
  };
  const made = {
    artifact: null,
    project: null,
    baseline: [],
    produced: [],
    child_verdicts: [],
    mode: 're-run' as const,
    constraints,
  };
  return { ...newReview(birth(id), { ...about, ...made }), version: 1, ...parts };
};

/** A journal entry of a record's version. */
export const entry = (record: string, version: number, parts: Partial<Entry> = {}): Entry => ({
  tenant: TENANT,
  root: record.slice(0, 26),
  record,
  version,
  note: null,
  kind: 'task',
  holon: 'code',
  step: 'plan',
  state: 'planning',
  iteration: 1,
  told: [],
  caused_by: 'machine',
  at: NOW,
  text: `version ${version}`,
  data: {},
  ...parts,
});

/** A lesson of a finished task. */
export const lesson = (id: string, parts: Partial<Lesson> = {}): Lesson =>
  Lesson.parse({
    id,
    version: 1,
    type: 'pattern',
    task_id: rootId(1),
    holon: 'code',
    domain: 'code',
    family: 'lint',
    tags: ['eslint'],
    situation: 'the linter failed after the safe fixes',
    advice: 'take the stronger fix first',
    evidence: [],
    spent: all(1),
    created_at: NOW,
    ...parts,
  });
