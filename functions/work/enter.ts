// Entering the producer's session: at the start of an iteration, and again after a crash or a time slice.
import type { TaskRecord, WorkState } from '#shared/contracts/task.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { openWork } from '../loop/session.ts';

/** The session holds what the task starts from: one that the baseline or an earlier attempt has used is opened anew. */
export const begin = async (record: TaskRecord, ports: StepPorts<'work'>): Promise<WorkState> => {
  await ports.ledger.settleOpen(record.tenant, record.id);
  const first = await openWork(record, ports);
  if (first.reentered) await ports.sandbox.close(first.session);
  const { session, tree, confinement } = first.reentered ? await openWork(record, ports) : first;
  return {
    session,
    confinement,
    cursor: 0,
    mode: 'together',
    tree,
    start: tree,
    good_tree: tree,
    kept: [],
    dropped: [],
    evidence: [],
    checks: [],
  };
};

/** The session may hold half a call: the work is redone from the last snapshot that was committed. */
export const comeBack = async (record: TaskRecord, work: WorkState, ports: StepPorts<'work'>): Promise<void> => {
  await ports.ledger.settleOpen(record.tenant, record.id);
  await openWork(record, ports);
  await ports.sandbox.restore(work.session, work.tree);
};
