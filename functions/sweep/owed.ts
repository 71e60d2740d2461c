// The lesson of a task that is over and could not contribute it, because Compound failed or its machine was lost (L3-KBC-01).
import type { TaskRecord } from '#shared/contracts/task.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { aboutOf, contribution } from '../loop/contribution.ts';
import { keep } from './keep.ts';

type SweepPorts = StepPorts<'sweep'>;

/**
 * Contributed first, and the mark taken off only when that was said and journalled: after a crash in between it is still owed, the record's last
 * change is carried through once more, and the knowledge base knows the message. To take it off is a moment of its own but no version: after a
 * crash nobody would look at the record again, and the journal would lack the entry.
 */
export const payLesson = async (record: TaskRecord, ports: SweepPorts): Promise<void> => {
  const told = record.lesson === null ? await contributed(record, ports) : record;
  await ports.tasks.save({ ...told, lesson_pending: false, last: later(told.last) }, told.version);
};

const later = (last: TaskRecord['last']): TaskRecord['last'] =>
  last === null ? null : { ...last, at: { ...last.at, turn: last.at.turn + 1 } };

const contributed = async (record: TaskRecord, ports: SweepPorts): Promise<TaskRecord> => {
  const about = await aboutOf(record, record.ended_at ?? ports.clock.now(), ports);
  const { lesson, tell, text, data } = contribution(record, about);
  return keep({ ...record, lesson: lesson?.id ?? null }, { text: `owed: ${text}`, data, tell, also: [] }, ports);
};
