// SETTLE: reads what lies on the wait of a child that did not complete, or not in time, never the token's payload (architecture section 3).
import type { DelegationRecord } from '#shared/contracts/task.ts';
import { moveDelegation } from '#shared/domain/lifecycle.ts';
import { childWait, settledBy } from '../loop/child-result.ts';
import type { Change, Step } from '../step.ts';

export const settle: Step<'settle'> = async (_input, record, ports) => {
  if (record.state === 'done' || record.state === 'failed') return over(record);
  const wait = await ports.waits.read(record.tenant, childWait(record));
  const settled = settledBy(record, wait?.outcome, ports.clock.now());
  if (settled === null) return open(record, wait?.outcome?.word ?? 'timeout');
  return { ...settled, also: [{ do: 'close-ledger', task: record.child }], output: { word: 'done' } };
};

/** A new generation of the machine finds this child over. */
const over = (record: DelegationRecord): Change<'settle'> => ({
  record,
  entry: { text: `goes on as ${record.state}`, data: { child: record.child } },
  output: { word: 'done' },
});

const open = (record: DelegationRecord, word: string): Change<'settle'> => ({
  record: { ...record, state: moveDelegation(record.state, 'settled') },
  entry: { text: `${record.to} did not complete it: ${word}`, data: { child: record.child, word } },
  output: { word: 'arbitrate' },
});
