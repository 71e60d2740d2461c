// What is not yours does not exist: ids of another tenant, or of another person in the same one, are answered exactly as ids that nobody has.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dispatch } from '#functions/acp/step.ts';
import { METHODS } from '#shared/contracts/acp.ts';
import type { Principal } from '#shared/contracts/acp-host.ts';
import { memoryWire, TestClient } from '#test/support/acp.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';
import { noOpHolarchy } from '#test/support/no-op-house.ts';

const ANN: Principal = { ...OWNER, tenant: 'local', subject: 'ann' };
const OTHERS: [string, Principal][] = [
  ['another person of the tenant', { ...ANN, subject: 'bob' }],
  ['another tenant', { ...ANN, tenant: 'another' }],
  ['the same name in another tenant', { ...ANN, tenant: 'another', subject: 'ann' }],
  ['the owner of the home', OWNER],
];

let at: TestDoor;
/** Ann's ids, and ids of the same shape that nobody has. */
let mine: Record<'task' | 'child' | 'artifact' | 'session', string>;
const NOBODYS = {
  task: '01ZZZZZZZZZZZZZZZZZZZZZZZZ',
  child: '01ZZZZZZZZZZZZZZZZZZZZZZZZ_10_1',
  artifact: '01ZZZZZZZZZZZZZZZZZZZZZZZZ/1/report',
  session: '01ZZZZZZZZZZZZZZZZZZZZZZZZ',
};

beforeAll(async () => {
  at = await testDoor();
  await at.house.ports.holons.load('another', noOpHolarchy);
  const { task } = await at.ask('_hca/task/submit', { goal: 'take the turn', workspace: '/w' }, ANN);
  await at.house.idle();
  const below = await at.house.ports.tasks.below('local', task);
  const body = {
    task,
    holon: 'root',
    iteration: 1,
    name: 'report',
    kind: 'report' as const,
    media_type: 'text/plain',
    from: [],
  };
  const { id } = await at.house.ports.artifacts.put('local', { ...body, body: 'secret of ann' });
  const client = new TestClient(memoryWire(at, ANN));
  await client.hello();
  const session = await client.newSession();
  mine = { task, child: below.find((record) => record.id !== task)?.id ?? task, artifact: id, session };
});
afterAll(() => at.close());

/** Every method that takes an id of a task or an artifact. */
const WITH_IDS: [string, (ids: typeof NOBODYS) => object][] = [
  ...['get', 'journal', 'watch', 'tree', 'trace', 'verdict', 'escalation', 'retry', 'diff', 'apply'].flatMap(
    (name): [string, (ids: typeof NOBODYS) => object][] => [
      [`_hca/task/${name}`, ({ task }) => ({ task })],
      [`_hca/task/${name}`, ({ child }) => ({ task: child })],
      [`_hca/task/${name}`, ({ task }) => ({ task: task.slice(-8) })],
    ],
  ),
  ['_hca/task/cancel', ({ task }) => ({ task, cause: 'mischief' })],
  ['_hca/artifact/list', ({ task }) => ({ task })],
  ['_hca/artifact/get', ({ artifact }) => ({ id: artifact })],
  ['_hca/artifact/get', ({ artifact }) => ({ id: artifact, version: 1 })],
];

/** Methods without such an id: of the host, of the tenant's holons and lessons, and of content that is named by its hash. */
const WITHOUT =
  /^_hca\/(ping|methods|doctor|gc|down|whoami|dead-letter\/|holon\/|holarchy\/|lessons\/|harness\/|workspace\/|task\/(submit|plan|list)$)/;

/** An error without the id that was asked for. */
const shapeOf = (answer: { error?: unknown }, ids: typeof NOBODYS): unknown => {
  let text = JSON.stringify(answer.error ?? 'no error');
  const longestFirst = [...Object.values(ids), ids.task.slice(-8)].toSorted((a, b) => b.length - a.length);
  for (const id of longestFirst) text = text.replaceAll(id, 'ID');
  return JSON.parse(text);
};

describe.each(OTHERS)('%s', (_who, principal) => {
  const ask = (method: string, params: object) =>
    dispatch({ jsonrpc: '2.0', id: 1, method, params }, principal, at.door) as Promise<{ error?: unknown }>;

  it.each(WITH_IDS)('%s, case %#', async (method, paramsOf) => {
    const unknown = shapeOf(await ask(method, paramsOf(NOBODYS)), NOBODYS);
    expect(unknown).toMatchObject({ data: { code: 'HcaNotFound' } });
    expect(shapeOf(await ask(method, paramsOf(mine)), mine)).toEqual(unknown);
  });

  it('lists nothing of hers, and "last" is not hers', async () => {
    expect(await at.ask('_hca/task/list', {}, principal)).toEqual({ tasks: [], next: null });
    expect((await at.ask('_hca/holon/status', { holon: 'root' }, principal)).doing).toEqual([]);
    await expect(at.ask('_hca/task/get', { task: 'last' }, principal)).rejects.toMatchObject({ code: -32001 });
  });

  it('cannot take her task for a repeat of its own submission', async () => {
    const again = { goal: 'take the turn', workspace: '/w', id: mine.task };
    if (principal.tenant !== ANN.tenant) return;
    expect(await ask('_hca/task/submit', again)).toMatchObject({
      error: { data: { code: 'HcaRefused', field: 'id' } },
    });
  });

  it.each([
    ['session/load', { cwd: '/w', mcpServers: [] }],
    ['session/resume', { cwd: '/w', mcpServers: [] }],
    ['session/prompt', { prompt: [{ type: 'text', text: 'take the turn' }] }],
    ['session/set_config_option', { configId: 'budget', value: 'small' }],
    ['session/set_mode', { modeId: 'never' }],
    ['session/close', {}],
    ['session/delete', {}],
  ])('%s of her session', async (method, params) => {
    const client = new TestClient(memoryWire(at, principal));
    await client.hello();
    const unknown = await client.ask(method, { ...params, sessionId: NOBODYS.session });
    const foreign = await client.ask(method, { ...params, sessionId: mine.session });
    const ids = { ...NOBODYS, session: mine.session };
    expect(shapeOf(foreign, ids)).toEqual(shapeOf(unknown, NOBODYS));
    expect(foreign.result).toEqual(unknown.result);
    expect(client.updates()).toEqual([]);
    expect(await at.door.ports.sessions.session(ANN, mine.session)).toMatchObject({ id: mine.session, title: null });
  });

  it('does not see her session in a list, nor stop what runs in it', async () => {
    const client = new TestClient(memoryWire(at, principal));
    await client.hello();
    expect((await client.ask('session/list', {})).result.sessions).toEqual([]);
    const hers = new TestClient(memoryWire(at, ANN));
    await hers.hello();
    const sessionId = await hers.newSession();
    const prompt = await hers.beginPrompt(sessionId, 'take the turn');
    await client.notify('session/cancel', { sessionId });
    expect((await hers.answerTo(prompt)).result).toMatchObject({ stopReason: 'end_turn' });
  });
});

it('ann herself has all of it', async () => {
  for (const [method, paramsOf] of WITH_IDS) {
    const answer = await dispatch({ jsonrpc: '2.0', id: 1, method, params: paramsOf(mine) }, ANN, at.door);
    expect(JSON.stringify(answer), method).not.toContain('HcaNotFound');
  }
});

it('leaves out no method', () => {
  const covered = new Set(WITH_IDS.map(([method]) => method));
  expect(Object.keys(METHODS).filter((method) => !covered.has(method) && !WITHOUT.test(method))).toEqual([]);
});
