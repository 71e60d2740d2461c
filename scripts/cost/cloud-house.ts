// A house on the cloud's own stores, in one process: the adapters of the tables and the bucket on stand-ins, the machines on the embedded
// runner. What a task uses there is what it uses in an account.
import { createRuntime, type Runtime } from '#local/runtime.ts';
import { dynamoHolons } from '#shared/adapters/aws/dynamo-holons.ts';
import { dynamoJournal } from '#shared/adapters/aws/dynamo-journal.ts';
import { dynamoLedger } from '#shared/adapters/aws/dynamo-ledger.ts';
import { dynamoLessons } from '#shared/adapters/aws/dynamo-lessons.ts';
import { dynamoTasks } from '#shared/adapters/aws/dynamo-tasks.ts';
import { dynamoMarks, dynamoWaits } from '#shared/adapters/aws/dynamo-waits.ts';
import { s3Artifacts } from '#shared/adapters/aws/s3-artifacts.ts';
import { s3Objects } from '#shared/adapters/aws/s3-objects.ts';
import type { HolarchyFile } from '#shared/contracts/holon.ts';
import { TABLES, type TableIndex, type TableName } from '#shared/contracts/storage.ts';
import type { Usage } from '#shared/domain/rate-card.ts';
import type { Ports } from '#shared/ports/index.ts';
import { openRig, type Rig } from '#test/adapters/aws/rig.ts';
import { memoryS3 } from '#test/support/memory-s3.ts';
import { noOpOutside, type Reader } from '#test/support/no-op-house.ts';
import { TENANT } from '#test/support/submit.ts';
import { countBucket, countInvocation, countMessages, countTables, type Tally, tally } from './counting.ts';

/** A house that counts. `used`: what was used since the last time it was asked. */
export interface CloudHouse {
  runtime: Runtime;
  used(): Usage;
  close(): Promise<void>;
}

const NAMES: readonly TableName[] = ['holons', 'tasks', 'waits', 'ledger', 'journal', 'lessons'];

/** `passesAt`: the iteration in which reviews pass. */
export const openCloudHouse = async (holarchy: HolarchyFile, passesAt: number): Promise<CloudHouse> => {
  const rig = await openRig(NAMES);
  const bucket = memoryS3({ page: 1000 });
  const counted = tally();
  const indexes = NAMES.flatMap((name): readonly TableIndex[] => TABLES[name].indexes);
  countTables(rig.table('tasks').client, indexes, counted);
  const runtime = createRuntime({
    folder: ':memory:',
    outside: () => noOpOutside(turns(passesAt)),
    around: (ports) => onCloud(ports, { rig, bucket, counted }),
    onCall: () => countInvocation(counted),
  });
  await runtime.ports.holons.load(TENANT, holarchy);
  counted.take();
  bucket.asked.length = 0;
  runtime.start();
  return {
    runtime,
    used: () => {
      countBucket(counted, bucket.asked.splice(0));
      return counted.take();
    },
    close: async () => {
      await runtime.close();
      await rig.close();
    },
  };
};

/** A file that reads `done` once its task wrote it so many times. */
const turns = (passesAt: number): Reader => {
  const written = new Map<string, number>();
  // What a coordinator merged was written by others: its reviewer finds it done.
  const timesOf = (task: string, lane: string): number => written.get(task) ?? (lane === 'reviewer' ? passesAt : 0);
  return ({ tool }, { task, lane }) => {
    if (tool !== 'filesystem.read_file') written.set(task, timesOf(task, '') + 1);
    return timesOf(task, lane) >= passesAt ? 'done' : 'not yet';
  };
};

interface Cloud {
  rig: Rig;
  bucket: ReturnType<typeof memoryS3>;
  counted: Tally;
}

const onCloud = (ports: Ports, { rig, bucket, counted }: Cloud): Ports => {
  const { clock } = ports;
  const objects = s3Objects(bucket);
  return {
    ...ports,
    holons: dynamoHolons(rig.table('holons')),
    tasks: dynamoTasks(rig.table('tasks'), clock),
    waits: dynamoWaits(rig.table('waits'), clock),
    marks: dynamoMarks(rig.table('waits')),
    ledger: dynamoLedger(rig.table('ledger')),
    journal: dynamoJournal(rig.table('journal'), clock),
    lessons: dynamoLessons({ table: rig.table('lessons'), objects, clock }),
    artifacts: s3Artifacts({ objects, clock }),
    messages: countMessages(counted, ports.messages),
  };
};
