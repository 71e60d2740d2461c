// A step as a Lambda function: what the bus, a machine and a status change hand over reaches the step as its register says, and what is thrown keeps its
// name, so that Retry and Catch match it (architecture section 10).
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handle } from '#functions/wrap.ts';
import { variable } from '#shared/adapters/aws/ports/environment.ts';
import { tenantNow } from '#shared/adapters/aws/ports/tenant.ts';
import { localPorts } from '#shared/adapters/local/ports.ts';
import { HcaFault } from '#shared/contracts/errors.ts';

/** Logs and metrics go to the console of this process, where a test sees them; read when the wrapper is loaded. */
vi.hoisted(() => {
  process.env.POWERTOOLS_DEV = 'true';
  process.env.POWERTOOLS_METRICS_DISABLED = 'false';
  process.env.POWERTOOLS_METRICS_NAMESPACE = 'hca-test';
});

const ports = localPorts({ folder: ':memory:' });
const give =
  <P>(port: P) =>
  () =>
    port;
const never = () => {
  throw new Error('not asked here');
};
const workflows = { describe: never, start: never, succeed: never, fail: never, stop: never };

const LEARN = {
  clock: give(ports.clock),
  journal: give(ports.journal),
  lessons: give(ports.lessons),
  messages: give(ports.messages),
  tasks: give(ports.tasks),
};
const SWEEP = {
  ...LEARN,
  holons: give(ports.holons),
  ledger: give(ports.ledger),
  waits: give(ports.waits),
  marks: give(ports.marks),
  workflows: give(workflows),
};
const ACCEPT = { ...SWEEP };

const TASK = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const MESSAGE = {
  jsonrpc: '2.0',
  id: `${TASK}:3:0`,
  tenant: 'acme',
  from: 'root',
  to: 'knowledge',
  task: TASK,
  root_task: TASK,
  hop: 1,
  caused_by: 'x',
  sent_at: 1,
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  method: 'hca/knowledge/contribute',
  params: { lessons: [{ id: 'one' }], credits: [] },
};

const context = (left = 60_000) =>
  ({
    getRemainingTimeInMillis: () => left,
    functionName: 'f',
    memoryLimitInMB: '512',
    invokedFunctionArn: 'arn',
    awsRequestId: 'r',
  }) as never;

/** Everything that is printed during a test, without its white space. */
const printed: string[] = [];
beforeEach(() => {
  printed.length = 0;
  for (const method of ['log', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((...words) => void printed.push(words.join(' ')));
});

const said = (): string => printed.join('\n').replaceAll(/\s/g, '');

describe('a step as a function', () => {
  test('a message from the bus is the detail of its event, for its tenant', async () => {
    const seen: unknown[] = [];
    const handler = handle(
      'learn',
      async ({ message }) => {
        seen.push(message.id, tenantNow());
        return { note: '', output: { word: 'learned' } };
      },
      LEARN,
    );
    expect(await handler({ 'detail-type': MESSAGE.method, source: 'hca', detail: MESSAGE }, context())).toEqual({
      word: 'learned',
    });
    expect(seen).toEqual([MESSAGE.id, 'acme']);
    expect(said()).toContain(`"task":"${TASK}"`);
    expect(said()).toContain(`"trace":"${'a'.repeat(32)}"`);
    expect(said()).toContain(`"message_id":"${MESSAGE.id}"`);
    expect(said()).not.toContain('reserved');
    expect(said()).not.toContain('Noapplicationmetrics');
  });

  test('what is no message is refused by name', async () => {
    const handler = handle('learn', never, LEARN);
    await expect(handler({ detail: { method: 'nothing' } }, context())).rejects.toMatchObject({ name: 'HcaBadInput' });
    await expect(handler(null, context())).rejects.toMatchObject({ name: 'HcaBadInput' });
  });

  test('a status change and the minute reach sweep as its input', async () => {
    const seen: unknown[] = [];
    const handler = handle(
      'sweep',
      async ({ turn: _turn, entering: _entering, ...input }) => {
        seen.push(input);
        return { note: '', output: { word: 'swept' } };
      },
      SWEEP,
    );
    const detail = {
      stateMachineArn: 'arn:aws:states:r:1:stateMachine:hca-dev-review',
      name: `${TASK}-1`,
      status: 'ABORTED',
      input: JSON.stringify({ tenant: 'acme', task: TASK }),
    };
    await handler({ source: 'aws.states', detail }, context());
    await handler({ source: 'aws.states', detail: { ...detail, input: null } }, context());
    const minute = { tenant: '', machine: null, execution: null, status: null };
    await handler(minute, context());
    const died = { machine: 'review', execution: `${TASK}-1`, status: 'ABORTED' };
    expect(seen).toEqual([{ tenant: 'acme', ...died }, { tenant: '', ...died }, minute]);
  });

  test('a fault keeps its code as its name, and its content stays out of the log', async () => {
    const handler = handle(
      'sweep',
      async () => {
        throw new HcaFault('HcaThrottled', { message: 'table tasks is throttled' });
      },
      SWEEP,
    );
    const input = { tenant: 'acme', machine: null, execution: null, status: null };
    await expect(handler(input, context())).rejects.toMatchObject({ name: 'HcaThrottled', code: 'HcaThrottled' });
    expect(said()).toContain('"Fault":1');
    expect(said()).not.toContain('"Bug"');
  });

  test('anything else is a bug, counted as one', async () => {
    const handler = handle(
      'sweep',
      async () => {
        throw new TypeError('x is not a function');
      },
      SWEEP,
    );
    const input = { tenant: 'acme', machine: null, execution: null, status: null };
    await expect(handler(input, context())).rejects.toMatchObject({ name: 'TypeError' });
    expect(said()).toContain('"Bug":1');
  });

  test('a record that is not there is said to the machine', async () => {
    const handler = handle('accept', never, ACCEPT);
    const input = { tenant: 'acme', record: TASK, execution: `${TASK}-1`, tick: 1 };
    await expect(handler(input, context())).rejects.toMatchObject({ name: 'HcaNotFound' });
  });

  test('a missing variable ends the start, by its name, in the log and in the metric of an alarm', () => {
    const tasks = () => {
      variable({}, 'HCA_TABLE_TASKS');
      return ports.tasks;
    };
    expect(() => handle('learn', never, { ...LEARN, tasks })).toThrow(/HCA_TABLE_TASKS is not set/);
    for (const told of ['"level":"ERROR"', '"step":"learn"', '"code":"HcaBadInput"', '"field":"HCA_TABLE_TASKS"'])
      expect(said()).toContain(told);
    expect(said()).toContain('"remedy":"deploythisfunctionagain');
    expect(said()).toContain('"Bug":1');
  });
});
