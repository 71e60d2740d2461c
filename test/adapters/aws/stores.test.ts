// The stores of the cloud host on DynamoDB: every suite that any adapter has to pass.
import { dynamoHolons } from '#shared/adapters/aws/dynamo-holons.ts';
import { dynamoJournal } from '#shared/adapters/aws/dynamo-journal.ts';
import { dynamoLedger } from '#shared/adapters/aws/dynamo-ledger.ts';
import { dynamoSessions } from '#shared/adapters/aws/dynamo-sessions.ts';
import { dynamoTasks } from '#shared/adapters/aws/dynamo-tasks.ts';
import { dynamoMarks, dynamoWaits } from '#shared/adapters/aws/dynamo-waits.ts';
import { localPorts } from '#shared/adapters/local/ports.ts';
import { systemClock } from '#shared/adapters/local/system-clock.ts';
import { journalSuite } from '../suites/journal.ts';
import { ledgerSuite } from '../suites/ledger.ts';
import { registersSuite } from '../suites/registers.ts';
import { sessionsSuite } from '../suites/sessions.ts';
import { tasksSuite } from '../suites/tasks.ts';
import { waitsSuite } from '../suites/waits.ts';
import { openRig } from './rig.ts';

const clock = systemClock();
const NAME = 'DynamoDB';

tasksSuite(NAME, async () => {
  const { table, close } = await openRig(['tasks']);
  return { tasks: dynamoTasks(table('tasks'), clock, { checked: true }), close };
});

waitsSuite(NAME, async () => {
  const { table, close } = await openRig(['waits']);
  const waits = table('waits');
  return { waits: dynamoWaits(waits, clock), marks: dynamoMarks(waits), close };
});

ledgerSuite(NAME, async () => {
  const { table, close } = await openRig(['ledger']);
  return { ledger: dynamoLedger(table('ledger')), close };
});

journalSuite(NAME, async () => {
  const { table, close } = await openRig(['journal']);
  return { journal: dynamoJournal(table('journal'), clock), close };
});

sessionsSuite(NAME, async () => {
  const { table, close } = await openRig(['sessions']);
  return { sessions: dynamoSessions(table('sessions'), clock), close };
});

registersSuite(`${NAME} (holons only)`, async () => {
  const { table, close } = await openRig(['holons']);
  const { lessons, ...local } = localPorts({ folder: ':memory:' });
  const closeBoth = async () => void (await Promise.all([close(), local.close()]));
  return { holons: dynamoHolons(table('holons')), lessons, close: closeBoth };
});
