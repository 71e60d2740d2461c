// After the last call: the checks on the result; calls that break something are found one by one; else the change becomes an artifact.
import type { CheckRun } from '#shared/contracts/criterion.ts';
import type { Plan } from '#shared/contracts/plan.ts';
import type { TaskRecord, WorkState } from '#shared/contracts/task.ts';
import type { ChangeSet } from '#shared/contracts/workspace.ts';
import { stateBytes } from '#shared/domain/change-set.ts';
import { gotWorse } from '#shared/domain/harness/judge.ts';
import { refusedPaths } from '#shared/domain/policy.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { storeChange, storeJson } from '../loop/artifacts.ts';
import { runChecks } from '../loop/checks.ts';
import { placeOf } from '../loop/session.ts';
import type { Change } from '../step.ts';

interface Turn {
  plan: Plan;
  work: WorkState;
}

export const finish = async (record: TaskRecord, turn: Turn, ports: StepPorts<'work'>): Promise<Change<'work'>> => {
  const { plan, work } = turn;
  const { changes, tree } = await withinPolicy(record, work, ports);
  const place = placeOf(record, { session: work.session, tree, lane: 'worker' });
  const checked = await runChecks(plan.criteria, place, ports);
  const worse = gotWorse(plan.criteria, { before: plan.baseline, after: checked.runs });
  if (worse && work.mode === 'together' && isDroppable(plan)) return oneByOne(record, work, ports);
  await storeJson(record, { name: 'work-evidence.json', kind: 'evidence', body: checked.evidence }, ports);
  return produce(record, { ...turn, changes, checks: checked.runs, spent: checked.spent }, ports);
};

/** A shell can write where policy does not let it: such files are put back before anybody looks at the change (requirements section 8). */
const withinPolicy = async (
  record: TaskRecord,
  work: WorkState,
  ports: StepPorts<'work'>,
): Promise<{ changes: ChangeSet; tree: string }> => {
  const changes = await ports.sandbox.archive(work.session);
  const paths = changes.files.map(({ path }) => path);
  const refused = new Set(refusedPaths(record.constraints.policy, paths));
  if (refused.size === 0) return { changes, tree: work.tree };
  for (const { path, before } of changes.files.filter((file) => refused.has(file.path))) {
    if (before === null) await ports.sandbox.remove(work.session, path);
    else await ports.sandbox.write(work.session, path, stateBytes(before));
  }
  return { changes: await ports.sandbox.archive(work.session), tree: await ports.sandbox.snapshot(work.session) };
};

/** Everything was done together and something got worse: done again from the start, each call weighed by itself. */
const oneByOne = async (record: TaskRecord, work: WorkState, ports: StepPorts<'work'>): Promise<Change<'work'>> => {
  await ports.sandbox.restore(work.session, work.good_tree);
  const again: WorkState = {
    ...work,
    mode: 'one-by-one',
    cursor: 0,
    tree: work.start,
    good_tree: work.start,
    kept: [],
    dropped: [],
  };
  return {
    record: { ...record, work: again },
    entry: { text: 'something got worse: each call is weighed by itself', data: {} },
    output: { word: 'more' },
  };
};

const isDroppable = ({ leaf }: Plan): boolean => leaf?.calls.some(({ keep }) => keep === 'if-not-worse') === true;

/** The session is gone before anybody judges: the evaluator works in one of its own. */
const produce = async (
  record: TaskRecord,
  done: Turn & { changes: ChangeSet; checks: CheckRun[]; spent: boolean },
  ports: StepPorts<'work'>,
): Promise<Change<'work'>> => {
  const { changes } = done;
  const stored = await storeChange(record, { changes, name: 'change', from: done.work.evidence.slice(-64) }, ports);
  await ports.tools.release(done.work.session);
  await ports.sandbox.close(done.work.session);
  const failing: TaskRecord['failing'] = done.spent
    ? { reason: 'budget_spent', detail: 'the budget did not last for the checks' }
    : null;
  return {
    record: { ...record, ...stored, produced: done.checks, failing, work: { ...done.work, checks: done.checks } },
    entry: {
      text: `changed ${changes.files.length} file(s), dropped ${done.work.dropped.length} of ${done.work.kept.length + done.work.dropped.length} call(s)`,
      data: {
        artifact: stored.artifact,
        files: changes.files.slice(0, 50).map(({ path }) => path),
        kept: done.work.kept,
        dropped: done.work.dropped,
        checks: done.checks.map(({ criterion, outcome }) => ({ criterion, outcome })),
      },
    },
    output: { word: done.spent ? 'escalate' : 'done' },
  };
};
