// The status question, answered from the stores (L1-ST-03, L2-FSM-03): one task whole, and lists of tasks.
import type { CriterionRow, TaskView } from '#shared/contracts/acp-task.ts';
import type { Budget } from '#shared/contracts/budget.ts';
import type { CheckResult, Criterion } from '#shared/contracts/criterion.ts';
import type { AnyRecord, TaskRecord } from '#shared/contracts/task.ts';
import type { Verdict } from '#shared/contracts/verdict.ts';
import { add, minus, ZERO } from '#shared/domain/budget.ts';
import type { LedgerRead } from '#shared/ports/ledger.ts';
import { findTask } from './find.ts';
import type { Handler } from './ports.ts';
import { lastArtifact } from './retry.ts';
import { outcomeOf, treeOf } from './tree.ts';

export const getTask: Handler<'_hca/task/get'> = async ({ params, principal, door }) => {
  const { tasks, ledger } = door.ports;
  const task = await findTask({ principal, tasks }, params.task);
  const below = await tasks.below(principal.tenant, task.root);
  const spent = await spentOf(ledger, task, below);
  return viewOf(task, below, spent);
};

export const getTree: Handler<'_hca/task/tree'> = async ({ params, principal, door }) => {
  const { tasks } = door.ports;
  const task = await findTask({ principal, tasks }, params.task);
  return { tree: treeOf(task, await tasks.below(principal.tenant, task.root)) };
};

export const listTasks: Handler<'_hca/task/list'> = async ({ params, principal, door }) => {
  const { limit, before, open } = params;
  const owner = principal.subject;
  const page = { limit, owner, ...(before === undefined ? {} : { before }), ...(open === undefined ? {} : { open }) };
  const rows = await door.ports.tasks.roots(principal.tenant, page);
  const tasks = rows.map(({ id, ...row }) => ({ task: id, ...row, outcome: outcomeOf(row.state) }));
  return { tasks, next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
};

/** What a task and everything below it have spent: the sum over its ledgers, which never count the same movement twice. */
export const spentOf = async (ledger: LedgerRead, task: TaskRecord, below: readonly AnyRecord[]): Promise<Budget> => {
  const own = below.filter((record) => record.kind === 'task' && record.id !== task.id && isUnder(record, task, below));
  const ledgers = await Promise.all([task, ...own].map((record) => ledger.read(task.tenant, record.id)));
  return ledgers.reduce((sum, item) => add(sum, item?.committed ?? ZERO), ZERO);
};

const isUnder = (record: AnyRecord, task: TaskRecord, below: readonly AnyRecord[]): boolean => {
  if (record.id === task.id) return true;
  const parent = record.kind === 'task' ? below.find((other) => other.id === record.parent?.task) : undefined;
  return parent !== undefined && isUnder(parent, task, below);
};

const viewOf = (task: TaskRecord, below: readonly AnyRecord[], spent: Budget): TaskView => ({
  task: task.id,
  root: task.root,
  goal: task.spec.goal,
  family: task.plan?.family ?? task.spec.family,
  holon: task.holon,
  state: task.state,
  outcome: outcomeOf(task.state),
  workspace: task.spec.workspace?.root ?? null,
  iteration: task.iteration,
  retries: task.constraints.retries,
  opened_at: task.opened_at,
  ended_at: task.ended_at,
  deadline: task.constraints.deadline,
  continues: task.continues,
  budget: task.constraints.budget,
  spent,
  rest: minus(task.constraints.budget, spent),
  clauses: task.plan?.clauses ?? [],
  criteria: criteriaRows(task, task.verdict ?? lastVerdict(below)),
  rejected: task.answer?.answer === 'reject' ? { reason: task.answer.reason, detail: task.answer.detail } : null,
  verdict: task.verdict,
  reservations: task.result?.reservations ?? [],
  attempts: task.attempts,
  escalation: task.escalation,
  artifact: lastArtifact(task),
  tree: treeOf(task, below),
});

/** A task that went up has no verdict of its own: then the newest one below it says what was found. */
const lastVerdict = (below: readonly AnyRecord[]): Verdict | null => {
  const verdicts = below.flatMap((record) =>
    record.kind === 'review' && record.verdict !== null ? [record.verdict] : [],
  );
  return verdicts.toSorted((a, b) => a.judged_at - b.judged_at).at(-1) ?? null;
};

const criteriaRows = (task: TaskRecord, verdict: Verdict | null): CriterionRow[] => {
  const asked = task.plan?.criteria ?? task.spec.criteria;
  const found = new Map((verdict?.criteria ?? []).map((result) => [result.criterion, result]));
  return asked.map((criterion) => criterionRow(criterion, found.get(criterion.id)));
};

const criterionRow = (criterion: Criterion, found: CheckResult | undefined): CriterionRow => ({
  id: criterion.id,
  text: criterion.text,
  level: criterion.level,
  result: found?.result ?? null,
  reason: found?.reason ?? '',
  red_before: found?.red_before.length ?? 0,
});
