// A delegation that its parent ends: its iteration of the Map is over, so Collect is its only writer left (docs/decisions/0047).
import type { Completion } from '#shared/contracts/completion.ts';
import type { Effect } from '#shared/contracts/effects.ts';
import type { DelegationRecord, Last } from '#shared/contracts/task.ts';

export type Settling = Extract<Effect, { do: 'settle' }>;

/** The delegation as it is saved then, with what is to follow in `last` like any other change. */
export const settledOf = (record: DelegationRecord, effect: Settling, result: Completion): DelegationRecord => {
  const { entry, caused_by, at } = effect;
  const last: Last = {
    step: 'settle',
    at: { generation: record.generation, tick: (record.last?.at.tick ?? 0) + 1, turn: 0, message: null },
    also: [{ do: 'close-ledger', task: record.child }],
    tell: [],
    entry,
    caused_by,
    saved_at: at,
    output: { word: 'done' },
    wait: null,
  };
  return { ...record, ...result, state: 'done', version: record.version + 1, ended_at: at, last };
};
