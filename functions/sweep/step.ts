// SWEEP: a machine that died is not left to a timeout (architecture section 3): tell again, start again, or say that it is lost.
import { executionName, parseExecution } from '#shared/contracts/ids.ts';
import type { ReviewRecord, TaskRecord } from '#shared/contracts/task.ts';
import { isTerminal } from '#shared/domain/lifecycle.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { carryThrough } from '../carry-through.ts';
import type { Note, Step } from '../step.ts';
import { loseReview, loseTask } from './lost.ts';

/** Generations after which a task is given up: what killed three machines will kill the fourth. */
const GENERATIONS = 3;

export const sweep: Step<'sweep'> = async ({ tenant, execution, machine }, _record, ports): Promise<Note<'sweep'>> => {
  if (execution === null || machine === null) return done;
  const dead = parseExecution(execution);
  const record = await ports.tasks.load(tenant, dead.record);
  if (record?.kind === 'review') await sweepReview(record, ports);
  if (record?.kind === 'task') await sweepTask(record, dead.generation, ports);
  return done;
};

const sweepTask = async (record: TaskRecord, generation: number, ports: StepPorts<'sweep'>): Promise<void> => {
  // Its last change holds what it told; saying it again has the same ids and is dropped where it was heard.
  if (isTerminal(record.state)) return carryThrough(record, ports);
  if (generation < GENERATIONS) {
    const next = executionName(record.id, generation + 1);
    await ports.workflows.start('task', next, { tenant: record.tenant, task: record.id });
    return;
  }
  await loseTask(record, ports);
};

const sweepReview = async (record: ReviewRecord, ports: StepPorts<'sweep'>): Promise<void> => {
  if (record.state === 'told') return carryThrough(record, ports);
  await loseReview(record, ports);
};

const done: Note<'sweep'> = { note: '', output: { word: 'swept' } };
