// Judging by running: the change is laid over the snapshot in a fresh session, and every criterion is checked there.
import type { CheckResult, CheckRun, Criterion } from '#shared/contracts/criterion.ts';
import type { ReviewRecord } from '#shared/contracts/task.ts';
import { ChangeSet } from '#shared/contracts/workspace.ts';
import { reasonOf, verdictOf } from '#shared/domain/harness/judge.ts';
import { judgeCheck } from '#shared/domain/harness/judge-check.ts';
import { judgeDiff } from '#shared/domain/harness/judge-diff.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { readJson, storeJson } from '../loop/artifacts.ts';
import { type Checked, runChecks } from '../loop/checks.ts';
import { baseOf } from '../loop/session.ts';
import { reviewSession } from '../loop/sessions.ts';
import type { Judged } from './judged.ts';

export const rerun = async (record: ReviewRecord, ports: StepPorts<'judge'>): Promise<Judged> => {
  await ports.ledger.settleOpen(record.tenant, record.task);
  const changes =
    record.artifact === null ? null : await readJson(record.tenant, { ref: record.artifact, schema: ChangeSet }, ports);
  const after = await runIn(record, { changes, criteria: record.criteria }, ports);
  if (after.spent) return UNPAID;
  const excused = await verifyExcuses(record, after.runs, ports);
  await storeJson(
    { ...record, id: record.task },
    {
      name: `review-evidence-${record.id.slice(-8)}.json`,
      kind: 'evidence',
      body: [...after.evidence, ...excused.evidence],
    },
    ports,
  );
  const before = [...record.baseline.filter(({ outcome }) => outcome === 'pass'), ...excused.runs];
  const runs = { before: [...record.baseline, ...excused.runs], after: [...record.produced, ...after.runs] };
  const judgeOne = (criterion: Criterion): CheckResult =>
    criterion.check.kind === 'diff'
      ? judgeDiff(criterion, { changes, before, project: record.project })
      : judgeCheck(criterion, forOne(criterion, runs));
  const criteria = record.criteria.map(judgeOne);
  const result = verdictOf(criteria);
  return { result, reason: reasonOf(result, criteria), criteria, mode: 're-run' };
};

/** Nothing is said about the work: who pays has no more, which is for the producer's side to settle. */
const UNPAID: Judged = {
  result: 'unable',
  reason: 'the budget did not last for the review',
  criteria: [],
  mode: 'none',
};

interface Runs {
  before: CheckRun[];
  after: CheckRun[];
}

const forOne = ({ id }: Criterion, runs: Runs): Runs => ({
  before: runs.before.filter(({ criterion }) => criterion === id),
  after: runs.after.filter(({ criterion }) => criterion === id),
});

/** What is red now and is said to have been red before is run again on the untouched snapshot: an excuse is not taken on trust. */
const verifyExcuses = async (record: ReviewRecord, runs: CheckRun[], ports: StepPorts<'judge'>): Promise<Checked> => {
  const red = (list: readonly CheckRun[], id: string) =>
    list.some(({ criterion, outcome }) => criterion === id && outcome !== 'pass');
  const excused = record.criteria.filter(({ id, goal }) => !goal && red(runs, id) && red(record.baseline, id));
  if (excused.length === 0) return { runs: [], evidence: [], spent: false };
  return runIn(record, { changes: null, criteria: excused }, ports);
};

const runIn = async (
  record: ReviewRecord,
  what: { changes: ChangeSet | null; criteria: Criterion[] },
  ports: StepPorts<'judge'>,
): Promise<Checked> => {
  const session = reviewSession(record.id);
  await ports.sandbox.close(session);
  const base = baseOf(record, record.constraints.policy);
  const opened = await ports.sandbox.open({
    id: session,
    ...base,
    ...(what.changes === null ? {} : { changes: what.changes }),
  });
  const context = {
    tenant: record.tenant,
    task: record.task,
    holon: record.holon,
    session,
    policy: record.constraints.policy,
    lane: 'reviewer',
  };
  try {
    return await runChecks(
      what.criteria,
      { charge: { context, payer: record.task, deadline: record.constraints.deadline }, tree: opened.tree },
      ports,
    );
  } finally {
    await ports.tools.release(session);
    await ports.sandbox.close(session);
  }
};
