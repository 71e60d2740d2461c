// How sweep changes a record that no machine writes any more: saved with everything it says, then that is done (architecture section 2).
import type { Effect } from '#shared/contracts/effects.ts';
import type { EntryBody } from '#shared/contracts/journal.ts';
import type { AnyRecord, Last } from '#shared/contracts/task.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { carryThrough } from '../carry-through.ts';
import { seal } from '../envelope.ts';
import type { Say } from '../step.ts';

interface Says {
  text: string;
  data?: EntryBody['data'];
  tell: Say[];
  also: Effect[];
}

/** Gives the record as it was saved. Whoever finds it after a crash in between carries it through. */
export const keep = async <R extends AnyRecord>(record: R, says: Says, ports: StepPorts<'sweep'>): Promise<R> => {
  const version = record.version + 1;
  const saying = { record, version, caused_by: `sweep:${record.id}`, at: ports.clock.now(), hop: 0 };
  const last: Last = {
    step: 'sweep',
    at: { generation: record.generation, tick: (record.last?.at.tick ?? 0) + 1, turn: 0, message: null },
    also: says.also,
    tell: seal(says.tell, saying),
    entry: { text: says.text.slice(0, 2000), data: says.data ?? {} },
    caused_by: saying.caused_by,
    saved_at: saying.at,
    output: { word: 'swept' },
    wait: null,
  };
  const saved = { ...record, version, last };
  await ports.tasks.save(saved, record.version);
  await carryThrough(saved, ports);
  return saved;
};
