// SETTLE: reads what lies on the wait, never the token's payload (architecture section 3).
import type { WaitKey } from '#shared/contracts/effects.ts';
import type { DelegationRecord } from '#shared/contracts/task.ts';
import { moveDelegation } from '#shared/domain/lifecycle.ts';
import { resultOf } from '../loop/child-result.ts';
import type { Change, Step } from '../step.ts';

export const settle: Step<'settle'> = async (_input, record, ports) => {
  if (record.state === 'done' || record.state === 'failed') return over(record);
  const wait = await ports.waits.read(record.tenant, waitOf(record));
  const result = resultOf(wait?.outcome);
  const word = wait?.outcome?.word ?? 'timeout';
  if (result === null) return open(record, word);
  return {
    record: { ...record, ...result, state: moveDelegation(record.state, 'done'), ended_at: ports.clock.now() },
    also: [{ do: 'close-ledger', task: record.child }],
    entry: { text: `${record.to} completed it`, data: { child: record.child, artifact: result.artifact } },
    output: { word: 'done' },
  };
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

const waitOf = (record: DelegationRecord): WaitKey => ({ task: record.task, on: record.child, offer: record.offer });
