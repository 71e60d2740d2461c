// CANCEL: marks every child, closes every wait, and waits for every agreed child's end; only then is the task cancelled (architecture section 3).
import { type Effect, endsWait, type Wait } from '#shared/contracts/effects.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { ZERO } from '#shared/domain/budget.ts';
import { spentOf } from '#shared/domain/ledger.ts';
import { canMoveTask, isTerminal, moveTask } from '#shared/domain/lifecycle.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import type { Change, Say, Step } from '../step.ts';

export const cancel: Step<'cancel'> = async (input, record, ports) =>
  input.token === undefined ? finish(record, ports) : begin(record, ports);

const begin = async (record: TaskRecord, ports: StepPorts<'cancel'>): Promise<Change<'cancel'>> => {
  await closeSession(record, ports);
  const waits = await ports.waits.of(record.tenant, record.id);
  const children = await childrenOf(record, ports);
  return {
    record: {
      ...record,
      state: canMoveTask(record.state, 'cancelling') ? 'cancelling' : moveTask(record.state, 'cancelled'),
    },
    also: [...waits.flatMap(closing), { do: 'await-ends', task: record.id }],
    entry: {
      text: `cancelling, ${children.length} child(ren) to stop`,
      data: { children: children.map(({ id }) => id) },
    },
    tell: children.map(stop),
    output: { word: 'waiting' },
    wait: endsWait(record.id),
  };
};

const finish = async (record: TaskRecord, ports: StepPorts<'cancel'>): Promise<Change<'cancel'>> => {
  const ledger = await ports.ledger.read(record.tenant, record.id);
  const spent = ledger === undefined ? ZERO : spentOf(ledger);
  const closed: Effect[] = [{ do: 'close-ledger', task: record.id }];
  return {
    record: { ...record, state: moveTask(record.state, 'cancelled'), ended_at: ports.clock.now() },
    also: closed,
    entry: { text: 'cancelled', data: { spent } },
    tell: [ended(record, spent)],
    output: { word: 'cancelled' },
  };
};

const closing = ({ key, outcome }: Wait): Effect[] =>
  outcome !== null || key.on === '~ends'
    ? []
    : [{ do: 'outcome', wait: key, outcome: { word: 'cancelled', by: key.task, body: null } }];

/** Every child that delegation records name and that has not ended, whether it agreed or not. */
const childrenOf = async (record: TaskRecord, ports: StepPorts<'cancel'>): Promise<TaskRecord[]> => {
  const below = await ports.tasks.below(record.tenant, record.root);
  return below.flatMap((one) =>
    one.kind === 'task' && one.parent?.task === record.id && !isTerminal(one.state) ? [one] : [],
  );
};

const stop = (child: TaskRecord): Say => ({
  method: 'hca/task/cancel',
  to: child.holon,
  task: child.id,
  params: { cause: `${child.from} was cancelled` },
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
