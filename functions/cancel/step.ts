// CANCEL: marks every child, closes every wait, and waits for every agreed child's end; only then is the task cancelled (architecture section 3).
import { type Effect, endsWait, type Wait, type WaitKey } from '#shared/contracts/effects.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import type { ZERO } from '#shared/domain/budget.ts';
import { canMoveTask, isTerminal, moveTask } from '#shared/domain/lifecycle.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { openChildren, stopChild } from '../loop/children.ts';
import { aboutOf, contribution } from '../loop/contribution.ts';
import type { Change, Say, Step } from '../step.ts';

export const cancel: Step<'cancel'> = async (input, record, ports) =>
  input.token === undefined ? finish(record, ports) : begin(record, ports);

const begin = async (record: TaskRecord, ports: StepPorts<'cancel'>): Promise<Change<'cancel'>> => {
  await closeSession(record, ports);
  const waits = await ports.waits.of(record.tenant, record.id);
  const children = await openChildren(record, ports);
  const keys = [...waits.filter(isOpen).map(({ key }) => key), ...children.map(waitOf)];
  return {
    record: { ...record, state: canMoveTask(record.state, 'cancelling') ? 'cancelling' : cancelled(record) },
    also: [...keys.map(closing), { do: 'await-ends', task: record.id }],
    entry: {
      text: `cancelling, ${children.length} child(ren) to stop`,
      data: { children: children.map(({ id }) => id) },
    },
    tell: children.map((child) => stopChild(child, 'was cancelled')),
    output: { word: 'waiting' },
    wait: endsWait(record.id),
  };
};

/** What was tried before the cancel teaches too, unless it was contributed before. */
const finish = async (record: TaskRecord, ports: StepPorts<'cancel'>): Promise<Change<'cancel'>> => {
  const closed: Effect[] = [{ do: 'close-ledger', task: record.id }];
  const about = await aboutOf(record, ports.clock.now(), ports);
  const { spent } = about;
  const given = record.lesson === null ? contribution(record, about) : null;
  return {
    record: {
      ...record,
      state: cancelled(record),
      lesson: given?.lesson?.id ?? record.lesson,
      ended_at: record.ended_at ?? ports.clock.now(),
    },
    also: closed,
    entry: { text: 'cancelled', data: { spent, ...given?.data } },
    tell: [ended(record, spent), ...(given?.tell ?? [])],
    output: { word: 'cancelled' },
  };
};

/** What ended by itself before its cancel came stays as it ended. */
const cancelled = ({ state }: TaskRecord): TaskRecord['state'] =>
  isTerminal(state) ? state : moveTask(state, 'cancelled');

const isOpen = ({ key, outcome }: Wait): boolean => outcome === null && key.on !== '~ends';

/** The wait of a child that nothing was written on yet is closed too: an acceptance under way must not count as agreed. */
const waitOf = (child: TaskRecord): WaitKey => ({ task: child.parent?.task ?? '', on: child.id, offer: child.offer });

const closing = (wait: WaitKey): Effect => ({
  do: 'outcome',
  wait,
  outcome: { word: 'cancelled', by: wait.task, body: null },
});

const ended = (record: TaskRecord, spent: typeof ZERO): Say => ({
  method: 'hca/task/complete',
  to: record.from,
  task: record.id,
  params: {
    offer: record.offer,
    parent: record.parent?.task ?? null,
    status: 'cancelled',
    artifacts: record.artifact === null ? [] : [record.artifact],
    verdict: null,
    reservations: [],
    spent,
  },
});

const closeSession = async (record: TaskRecord, ports: StepPorts<'cancel'>): Promise<void> => {
  if (record.work === null) return;
  await ports.tools.release(record.work.session);
  await ports.sandbox.close(record.work.session);
};
