// A goal and a folder become a root task (L1-DEL-01 to L1-DEL-03). Every write is idempotent by the task's id, so a client may repeat.
import { HOME_OWNER } from '#shared/contracts/acp-host.ts';
import type { Submit, Submitted } from '#shared/contracts/acp-task.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { HolonCard } from '#shared/contracts/holon.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { machineFor } from '#shared/domain/machines.ts';
import { newTask } from '#shared/domain/records.ts';
import { criteriaOf } from './criteria.ts';
import { checkTasks } from './limits.ts';
import type { DoorHouse, Handler } from './ports.ts';
import { policyFor } from './preferences.ts';
import { delegateMessage, noteOf } from './say.ts';
import { budgetOf, deadlineOf } from './terms.ts';
import { type Source, sourceOf } from './where.ts';

/** What a submission is made of, beside the goal. */
export interface Origin {
  tenant: string;
  /** Whose task it is. */
  owner: string;
  source: Source;
  continues: string | null;
  start_from: TaskRecord['spec']['start_from'];
}

export const submitTask: Handler<'_hca/task/submit'> = async ({ params, principal, door }) => {
  const { ports } = door;
  const { tenant, subject: owner } = principal;
  const known = params.id === undefined ? undefined : await ports.tasks.load(tenant, params.id);
  if (known?.kind === 'task') return repeat(ports, known, { ...params, owner });
  const asked = { ...params, criteria: criteriaOf(params.criteria), budget: budgetOf(params.budget) };
  await checkTasks(door, principal);
  const source = await sourceOf(params.workspace, { principal, door });
  return create(ports, asked, { tenant, owner, source, continues: null, start_from: null });
};

/** Makes the record, its ledger, its first journal entry and the message to the root holon, in this order. */
export const create = async (
  ports: DoorHouse,
  asked: Pick<TaskRecord['spec'], 'goal' | 'criteria'> & {
    id?: string;
    budget: TaskRecord['constraints']['budget'];
    retries: number;
    harness?: string | undefined;
    model?: string | undefined;
  },
  origin: Origin,
): Promise<Submitted> => {
  const { tenant, source } = origin;
  const now = ports.clock.now();
  const root = await rootHolon(ports, tenant);
  const birth = { tenant, id: asked.id ?? ports.clock.ulid(), holon: root.id, now };
  const policy = await policyFor(ports, tenant, asked);
  const spec = {
    goal: asked.goal,
    family: null,
    criteria: asked.criteria,
    workspace: source.workspace,
    start_from: origin.start_from,
    ...(asked.harness === undefined ? {} : { harness: asked.harness }),
  };
  const constraints = { budget: asked.budget, retries: asked.retries, deadline: deadlineOf(asked.budget, now), policy };
  const from = {
    from: 'user',
    parent: null,
    continues: origin.continues,
    owner: origin.owner,
    state: 'submitted' as const,
    machine: machineFor(root),
  };
  const record = newTask(birth, from, { spec, constraints });
  const created = await ports.tasks.put(record);
  await offer(ports, record);
  return submitted(record, { created, skipped: source.skipped });
};

/** Offers again what was submitted and never answered, because the host died in between; a repeat has the same message id. */
export const resendSubmitted = async (ports: DoorHouse, tenant: string): Promise<number> => {
  const open = await ports.tasks.roots(tenant, { limit: 1000, open: true });
  const waiting = open.filter((row) => row.state === 'submitted');
  for (const row of waiting) {
    const record = await ports.tasks.load(tenant, row.id);
    if (record?.kind === 'task') await offer(ports, record);
  }
  return waiting.length;
};

const repeat = async (ports: DoorHouse, record: TaskRecord, asked: Submit & { owner: string }): Promise<Submitted> => {
  const isSame = record.root === record.id && (record.owner ?? HOME_OWNER) === asked.owner;
  if (!isSame || record.spec.goal !== asked.goal) {
    throw new HcaFault('HcaRefused', {
      message: `the id ${record.id} belongs to another task`,
      field: 'id',
      remedy: 'use a new ULID, or leave the id out',
    });
  }
  if (record.state === 'submitted') await offer(ports, record);
  return submitted(record, { created: false, skipped: 0 });
};

const offer = async (ports: DoorHouse, record: TaskRecord): Promise<void> => {
  const message = delegateMessage(record, ports.clock.now());
  const text = record.continues === null ? 'goal submitted' : `goal submitted, continues ${record.continues}`;
  await ports.ledger.open(record.tenant, record.id, record.constraints.budget);
  await ports.journal.append(noteOf(record, message, text));
  await ports.messages.publish([message]);
};

const rootHolon = async (ports: DoorHouse, tenant: string): Promise<HolonCard> => {
  const root = (await ports.holons.all(tenant)).find((card) => card.role === 'root');
  if (root !== undefined) return root;
  throw new HcaFault('HcaUnavailable', {
    message: 'no holarchy is loaded: there is no root holon',
    field: 'holarchy',
    remedy: 'load one with: hca holarchy apply hca.config.yaml',
    retryable: false,
  });
};

const submitted = (record: TaskRecord, how: { created: boolean; skipped: number }): Submitted => ({
  task: record.id,
  created: how.created,
  continues: record.continues,
  started_from: record.spec.start_from,
  workspace: record.spec.workspace?.root ?? '',
  budget: record.constraints.budget,
  deadline: record.constraints.deadline,
  skipped: how.skipped,
});
