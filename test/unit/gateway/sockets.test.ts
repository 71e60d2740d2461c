// WebSockets as API Gateway hands them over, each event to a process that knows nothing of the one before: who connected, frames, watches, and what the
// journal wakes (architecture 2). Whoever is gone is forgotten, and what was to be sent stays owed.
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { answerGateway, type Gateway, wakeDue, wakeRoot } from '#functions/acp/step.ts';
import { stream } from '#functions/stream/step.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { type TestDoor, testDoor } from '#test/support/door.ts';
import { type MemoryConnections, memoryConnections, memoryWatchers } from '#test/support/memory-watchers.ts';

let door: TestDoor;
let gateway: Gateway;
let connections: MemoryConnections;

beforeEach(async () => {
  door = await testDoor();
  connections = memoryConnections();
  gateway = {
    door: door.door,
    watchers: memoryWatchers(),
    connections,
    issuer: null,
    forTenant: (_tenant, work) => work(),
  };
  onTestFinished(() => door.close());
});

const CONTEXT = {
  tenant: 'local',
  subject: 'owner',
  scopes: 'read submit approve admin',
  expires_at: '99999999999999',
};

const event = (eventType: string, more: object = {}, connectionId = 'one') => ({
  requestContext: { eventType, connectionId, authorizer: CONTEXT },
  ...more,
});

const connect = (headers: Record<string, string> = {}, id = 'one') =>
  answerGateway(event('CONNECT', { headers }, id), gateway);
const say = (method: string, params: object = {}, id: number | undefined = 1) =>
  answerGateway(event('MESSAGE', { body: JSON.stringify({ jsonrpc: '2.0', id, method, params }) }), gateway);

const updates = (socket = 'one') => connections.arrived(socket).filter(({ method }) => method === '_hca/task/update');

const initialize = () => say('initialize', { protocolVersion: 1, clientCapabilities: {} });

describe('a WebSocket', () => {
  test('is let in, and the subprotocol that was offered is chosen', async () => {
    expect(await connect()).toEqual({ statusCode: 200 });
    const answer = await connect({ 'Sec-WebSocket-Protocol': 'hca.bearer.abc, hca.v1' });
    expect(answer.headers).toEqual({ 'Sec-WebSocket-Protocol': 'hca.v1' });
  });

  test('a frame of one that never connected gets nothing', async () => {
    expect((await say('_hca/ping')).statusCode).toBe(410);
    expect(connections.arrived('one')).toEqual([]);
  });

  test('answers come over the socket', async () => {
    await connect();
    await say('_hca/ping');
    await initialize();
    await say('session/new', { cwd: '/home/ann/shop', mcpServers: [] }, 3);
    const answers = connections.arrived('one').filter(({ id }) => id !== undefined);
    expect(answers.map(({ id }) => id)).toEqual([1, 1, 3]);
    expect(answers.at(-1)).toMatchObject({ result: { sessionId: expect.any(String) } });
  });

  test('a session that was prompted is shown its task by whoever the journal wakes, to its end', async () => {
    await connect();
    await initialize();
    await say('session/new', { cwd: '/home/ann/shop', mcpServers: [] }, 2);
    const created = connections.arrived('one').find(({ id }) => id === 2) as { result: { sessionId: string } };
    const { sessionId } = created.result;
    await say('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'turn it' }] }, 3);
    await door.house.idle();
    const [task] = await door.house.ports.tasks.roots('local', { limit: 1 });
    await wakeRoot('local', task?.id ?? '', gateway);
    const answered = connections.arrived('one').filter(({ id }) => id === 3);
    const texts = JSON.stringify(connections.arrived('one'));
    expect(texts).toContain('turn it');
    expect(
      answered.length +
        connections.arrived('one').filter(({ method }) => method === 'session/request_permission').length,
    ).toBe(1);
    const before = connections.arrived('one').length;
    await Promise.all([1, 2, 3].map(() => wakeRoot('local', task?.id ?? '', gateway)));
    expect(connections.arrived('one')).toHaveLength(before);
  });

  test('a watch is sent the journal once, in order, whoever sends it', async () => {
    const { task } = await door.ask('_hca/task/submit', { goal: 'turn it', workspace: '/home/ann/shop' });
    await connect();
    await say('_hca/task/watch', { task });
    await door.house.idle();
    const batch = { Records: [record(task), record(task), record(task, 'said#1')] };
    await Promise.all([stream(batch, gateway), stream(batch, gateway), stream(batch, gateway)]);
    await stream(batch, gateway);
    const entries = updates().flatMap(
      ({ params }) => (params as { entries: { record: string; version: number; note: string | null }[] }).entries,
    );
    const { entries: all } = await door.house.ports.journal.read('local', task, { cursor: '', limit: 500 });
    const named = ({ record: of, version, note }: { record: string; version: number; note: string | null }) =>
      `${of} ${version} ${note}`;
    expect(entries.map(named)).toEqual(all.slice(0, entries.length).map(named));
    expect(updates().at(-1)).toMatchObject({ params: { done: true } });
    expect(await gateway.watchers.watching('local', task)).toEqual([]);
  });

  test('one that is gone is forgotten with all it watched and followed', async () => {
    const { task } = await door.ask('_hca/task/submit', { goal: 'turn it', workspace: '/home/ann/shop' });
    await connect();
    await initialize();
    await gateway.watchers.watch({ tenant: 'local', socket: 'one', task, cursor: '' });
    connections.leave('one');
    await door.house.idle();
    await wakeRoot('local', task, gateway);
    expect(await gateway.watchers.find('one')).toBeUndefined();
    expect(await gateway.watchers.watching('local', task)).toEqual([]);
    expect(await door.house.ports.sessions.connection({ tenant: 'local', subject: 'owner' }, 'one')).toBeUndefined();
  });

  test('an answer that no socket carries is said to be so', async () => {
    await connect();
    const small: MemoryConnections = {
      ...connections,
      push: async (socket, text) =>
        text.length > 4000
          ? Promise.reject(new HcaFault('HcaTooLarge', { message: 'too much' }))
          : connections.push(socket, text),
    };
    gateway = { ...gateway, connections: small };
    await say('_hca/methods');
    expect(connections.arrived('one')).toMatchObject([{ id: 1, error: { data: { code: 'HcaTooLarge' } } }]);
  });

  test('a time that has come wakes a socket once', async () => {
    await connect();
    await gateway.watchers.wakeAt({ tenant: 'local', socket: 'one', at: 5 });
    await gateway.watchers.wakeAt({ tenant: 'local', socket: 'gone', at: 6 });
    expect(await wakeDue(gateway)).toBe(2);
    expect(await stream({ due: true }, gateway)).toEqual({ word: 'due 0' });
  });

  test('one that cannot be woken now keeps nobody waiting, and is woken by the next look', async () => {
    await connect();
    await gateway.watchers.wakeAt({ tenant: 'local', socket: 'away', at: 5 });
    await gateway.watchers.wakeAt({ tenant: 'local', socket: 'one', at: 6 });
    const find: typeof gateway.watchers.find = (id) =>
      id === 'away' ? Promise.reject(new Error('no table')) : gateway.watchers.find(id);
    await expect(wakeDue({ ...gateway, watchers: { ...gateway.watchers, find } })).rejects.toThrow('no table');
    expect(await wakeDue(gateway)).toBe(1);
    expect(await wakeDue(gateway)).toBe(0);
  });
});

const record = (task: string, sk = 'log#0#0000000001') => ({
  eventName: 'INSERT',
  dynamodb: { Keys: { pk: { S: `local#${task}` }, sk: { S: sk } } },
});
