// One frozen call: the session is at the record's tree, the call is paid for, and what it left is a new snapshot.
import type { ToolOutcome } from '#shared/contracts/evidence.ts';
import type { FrozenCall } from '#shared/contracts/frozen-tool.ts';
import type { Plan } from '#shared/contracts/plan.ts';
import type { TaskRecord, WorkState } from '#shared/contracts/task.ts';
import { gotWorse } from '#shared/domain/harness/judge.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { callPaid } from '../loop/charge.ts';
import { runChecks } from '../loop/checks.ts';
import { contextOf, placeOf } from '../loop/session.ts';
import type { Change } from '../step.ts';
import { sparePaths } from './spare.ts';
import { touchedFiles } from './tidy.ts';

/** Longest a frozen call may take; the ledger's rest bounds it further. */
const CALL_MS = 300_000;

interface Turn {
  plan: Plan;
  work: WorkState;
  call: FrozenCall;
}

export const callNext = async (record: TaskRecord, turn: Turn, ports: StepPorts<'work'>): Promise<Change<'work'>> => {
  const { call, work } = turn;
  const ran = await runCall(record, turn, ports);
  if (ran === 'spent') return spent(record, call);
  if (ran === 'idle') return idle(record, turn);
  const { outcome, tree } = ran;
  const evidence = outcome.evidence === null ? [] : [outcome.evidence];
  const next: WorkState = {
    ...work,
    cursor: work.cursor + 1,
    tree,
    evidence: [...work.evidence, ...evidence.map(({ id }) => id)].slice(-400),
  };
  const kept =
    work.mode === 'one-by-one'
      ? await keepOrDrop(record, { ...turn, next }, ports)
      : { ...next, kept: [...next.kept, call.id] };
  return {
    record: { ...record, work: kept },
    entry: {
      text: `${call.note}: ${saidOf(outcome)}${tree === work.tree ? ', nothing changed' : ''}`.slice(0, 2000),
      data: {
        call: call.id,
        tool: call.tool,
        status: outcome.status,
        rule: outcome.rule,
        exit_code: outcome.evidence?.exit_code ?? null,
        evidence: evidence[0] ?? null,
        confinement: work.confinement,
        changed: tree !== work.tree,
        kept: kept.kept.includes(call.id),
      },
    },
    output: { word: 'more' },
  };
};

/** The call, paid for; then what it may not change is put back. `idle`: there is nothing that it may change. */
const runCall = async (record: TaskRecord, { plan, work, call }: Turn, ports: StepPorts<'work'>) => {
  const touched = await touchedFiles({ plan, work, call }, ports);
  if (touched?.size === 0) return 'idle' as const;
  const charge = {
    context: contextOf(record, { session: work.session, lane: 'worker' }),
    payer: record.id,
    deadline: record.constraints.deadline,
    timeout_ms: CALL_MS,
  };
  const outcome = await callPaid(charge, { tool: call.tool, arguments: call.arguments }, ports);
  if (outcome === 'spent') return 'spent' as const;
  const { spare, only } = call;
  await sparePaths({ session: work.session, before: work.tree, spare, only, touched }, ports);
  return { outcome, tree: await ports.sandbox.snapshot(work.session) };
};

const idle = (record: TaskRecord, { call, work }: Turn): Change<'work'> => ({
  record: { ...record, work: { ...work, cursor: work.cursor + 1, kept: [...work.kept, call.id] } },
  entry: { text: `${call.note}: nothing to do`.slice(0, 2000), data: { call: call.id, changed: false } },
  output: { word: 'more' },
});

/** A fixer that leaves something open says so with its exit code; that is no failure of the call. */
const saidOf = ({ status, evidence, rule }: ToolOutcome): string => {
  if (status === 'refused') return `refused by ${rule}`;
  return evidence?.exit_code == null ? status : `exit ${evidence.exit_code}`;
};

/** One by one, a call that made a check worse is undone (keeping what helps and dropping what breaks). */
const keepOrDrop = async (
  record: TaskRecord,
  turn: Turn & { next: WorkState },
  ports: StepPorts<'work'>,
): Promise<WorkState> => {
  const { next, call, plan, work } = turn;
  if (next.tree === work.good_tree || call.keep === 'always')
    return { ...next, good_tree: next.tree, kept: [...next.kept, call.id] };
  const tidied = await tidy(record, turn, ports);
  const place = placeOf(record, { session: work.session, tree: tidied.tree, lane: 'worker' });
  const checked = await runChecks(plan.criteria, place, ports);
  const isKept = !checked.spent && !gotWorse(plan.criteria, { before: plan.baseline, after: checked.runs });
  await ports.sandbox.restore(work.session, isKept ? tidied.tree : work.good_tree);
  if (isKept) return { ...tidied, good_tree: tidied.tree, kept: [...next.kept, call.id] };
  return { ...next, tree: work.good_tree, dropped: [...next.dropped, call.id] };
};

/** A call is weighed as it would be left: with what clears up after it, or one that only leaves untidy code would be dropped. */
const tidy = async (
  record: TaskRecord,
  { plan, next, call }: Turn & { next: WorkState },
  ports: StepPorts<'work'>,
): Promise<WorkState> => {
  let work = next;
  for (const after of call.tidies ? [] : (plan.leaf?.calls ?? []).filter(({ tidies }) => tidies)) {
    const ran = await runCall(record, { plan, work, call: after }, ports);
    if (typeof ran === 'object') work = { ...work, tree: ran.tree };
  }
  return work;
};

const spent = (record: TaskRecord, call: FrozenCall): Change<'work'> => ({
  record: { ...record, failing: { reason: 'budget_spent', detail: `the budget did not last for "${call.note}"` } },
  entry: { text: `budget spent before "${call.note}"`.slice(0, 2000), data: { call: call.id } },
  output: { word: 'escalate' },
});
