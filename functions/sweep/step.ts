// SWEEP: a machine that died is not left to a timeout (architecture section 3): tell again, start again, or say that it is lost.
// What a task taught is not left to its machine either: a lesson that stayed owed is contributed here (L3-KBC-01).
import { executionName, parseExecution } from '#shared/contracts/ids.ts';
import type { TaskMachine } from '#shared/contracts/machines.ts';
import type { ReviewRecord, TaskRecord } from '#shared/contracts/task.ts';
import { isTerminal, owesLesson } from '#shared/domain/lifecycle.ts';
import { nextMachine } from '#shared/domain/machines.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { carryThrough } from '../carry-through.ts';
import type { Note, Step } from '../step.ts';
import { type Dead, deadMachines } from './dead.ts';
import { loseReview, loseTask } from './lost.ts';
import { payLesson } from './owed.ts';

/** Generations after which a task is given up: what killed three machines will kill the fourth. */
const GENERATIONS = 3;

export const sweep: Step<'sweep'> = async ({ tenant, execution, machine }, _record, ports): Promise<Note<'sweep'>> => {
  const looking = execution === null || machine === null;
  const dead = looking ? await deadMachines(ports) : [{ tenant, machine, ...parseExecution(execution) }];
  const ends = await Promise.allSettled(dead.map((each) => sweepOne(each, ports)));
  // One that cannot be swept keeps no other from it; it is owed, and looked at again with the next minute.
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return done;
};

const sweepOne = async (dead: Dead, ports: StepPorts<'sweep'>): Promise<void> => {
  const record = await ports.tasks.load(dead.tenant, dead.record);
  if (record?.kind === 'review') await sweepReview(record, ports);
  const { machine, generation } = dead;
  if (record?.kind === 'task' && machine !== 'review') await sweepTask(record, { machine, generation }, ports);
};

interface Ended {
  machine: TaskMachine;
  generation: number;
}

const sweepTask = async (record: TaskRecord, ended: Ended, ports: StepPorts<'sweep'>): Promise<void> => {
  // Its last change holds what it told; saying it again has the same ids and is dropped where it was heard.
  if (isTerminal(record.state)) {
    await carryThrough(record, ports);
    return pay(record, ports);
  }
  if (ended.generation < GENERATIONS) return startNext(record, ended, ports);
  await pay(await loseTask(record, ended.generation, ports), ports);
};

/** In the same machine, or in the other where the last one said so: by how it ended, which is the same for everybody who sweeps it. */
const startNext = async (
  { tenant, id }: TaskRecord,
  { machine, generation }: Ended,
  { workflows }: StepPorts<'sweep'>,
): Promise<void> => {
  const ended = await workflows.describe(machine, executionName(id, generation));
  const next = nextMachine(machine, ended?.error ?? null);
  await workflows.start(next, executionName(id, generation + 1), { tenant, task: id });
};

const pay = async (record: TaskRecord, ports: StepPorts<'sweep'>): Promise<void> => {
  if (owesLesson(record)) await payLesson(record, ports);
};

const sweepReview = async (record: ReviewRecord, ports: StepPorts<'sweep'>): Promise<void> => {
  if (record.state === 'told') return carryThrough(record, ports);
  await loseReview(record, ports);
};

const done: Note<'sweep'> = { note: '', output: { word: 'swept' } };
