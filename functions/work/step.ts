// WORK: one frozen call a turn, each a committed cycle; then the checks, then the change as an artifact (architecture section 7; L1-ART).
import type { TaskRecord } from '#shared/contracts/task.ts';
import type { Change, Step } from '../step.ts';
import { callNext } from './call.ts';
import { begin, comeBack } from './enter.ts';
import { finish } from './finish.ts';

export const work: Step<'work'> = async ({ entering }, record, ports) => {
  const { plan } = record;
  if (plan === null || plan.leaf === null) throw new Error(`bug: ${record.id} is to work without a leaf's plan`);
  if (record.state !== 'working') return alreadyDone(record);
  const state = record.work ?? (await begin(record, ports));
  if (entering && record.work !== null) await comeBack(record, state, ports);
  const call = plan.leaf.calls[state.cursor];
  const turn = { plan, work: state };
  return call === undefined ? finish(record, turn, ports) : callNext(record, { ...turn, call }, ports);
};

/** A new generation of the machine finds the work of this iteration done. */
const alreadyDone = (record: TaskRecord): Change<'work'> => ({
  record,
  entry: { text: `goes on as ${record.state}`, data: {} },
  output: { word: 'done' },
});
