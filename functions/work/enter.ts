// The first turn of an iteration: the session is put back to what the task starts from.
import type { TaskRecord, WorkState } from '#shared/contracts/task.ts';
import { openWork } from '../loop/session.ts';
import type { Change } from '../step.ts';
import type { WorkPorts } from './step.ts';

export const enter = async (record: TaskRecord, ports: WorkPorts): Promise<Change<'work'>> => {
  await ports.ledger.settleOpen(record.tenant, record.id);
  const opened = await openWork(record, ports);
  const tree = await startTree(
    record,
    { session: opened.session, tree: opened.tree, reentered: opened.reentered },
    ports,
  );
  const work: WorkState = {
    session: opened.session,
    cursor: 0,
    mode: 'together',
    tree,
    good_tree: tree,
    kept: [],
    dropped: [],
    evidence: [],
    checks: [],
  };
  return {
    record: { ...record, work },
    entry: {
      text: `works in a session on the snapshot (${opened.confinement.kind})`,
      data: { confinement: opened.confinement, tree },
    },
    output: { word: 'more' },
  };
};

/** A session that the baseline or an earlier attempt has used is closed and opened anew, so that every attempt starts from the same tree. */
const startTree = async (
  record: TaskRecord,
  opened: { session: string; tree: string; reentered: boolean },
  ports: WorkPorts,
): Promise<string> => {
  if (!opened.reentered) return opened.tree;
  const start = record.spec.start_from === null ? (record.spec.workspace?.tree ?? null) : null;
  if (start !== null) {
    await ports.sandbox.restore(opened.session, start);
    return start;
  }
  await ports.sandbox.close(opened.session);
  return (await openWork(record, ports)).tree;
};
