// MCP servers that an editor brings: what policy lets in is the task's, what it does not is said with the reason, and what their headers and
// variables hold is told to nobody (protocols 5; requirements 8).
import { afterEach, describe, expect, test } from 'vitest';
import type { Policy } from '#shared/contracts/policy.ts';
import { memoryWire, TestClient } from '#test/support/acp.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';
import { noOpHolarchy } from '#test/support/no-op-house.ts';

const SECRET = 'sesame-open-5571';
const SEARCH = {
  type: 'http',
  name: 'search',
  url: 'https://mcp.example/x',
  headers: [{ name: 'authorization', value: SECRET }],
};
const PROGRAM = { name: 'local', command: '/bin/true', args: [], env: [{ name: 'KEY', value: SECRET }] };
const OPEN: Policy = {
  ...noOpHolarchy.policy,
  side_effects: 'external_write',
  servers: ['search', 'local', 'git'],
  network: { access: 'allow', hosts: ['mcp.example'] },
};
const doors: TestDoor[] = [];
afterEach(async () => {
  for (const door of doors.splice(0)) await door.close();
});

const open = async (policy: Policy = OPEN) => {
  const at = await testDoor();
  doors.push(at);
  await at.door.ports.holons.load(OWNER.tenant, { ...noOpHolarchy, policy });
  const client = new TestClient(memoryWire(at));
  await client.hello();
  const begin = async (mcpServers: object[]): Promise<string> =>
    (await client.ask('session/new', { cwd: '/w', mcpServers })).result.sessionId;
  const notices = () => client.updates('notice').map(({ description }) => String(description));
  return { at, client, begin, notices };
};

describe('servers of an editor', () => {
  test('that policy names belong to the tasks of the session, and their secrets are told to nobody', async () => {
    const { at, client, begin, notices } = await open();
    const sessionId = await begin([SEARCH, PROGRAM]);
    await client.prompt(sessionId, 'take the turn');
    expect(notices()).toEqual([]);
    const [row] = (await at.ask('_hca/task/list', {})).tasks;
    const turn = await at.door.ports.sessions.turnOfTask(OWNER.tenant, row?.task ?? '');
    expect(turn?.servers.map(({ name, type }) => [name, type])).toEqual([
      ['search', 'http'],
      ['local', 'stdio'],
    ]);
    const again = new TestClient(memoryWire(at));
    await again.hello();
    await again.ask('session/load', { sessionId, cwd: '/w', mcpServers: [SEARCH] });
    await again.ask('session/list', {});
    const { entries } = await at.door.ports.journal.read(OWNER.tenant, sessionId, { cursor: '', limit: 200 });
    for (const told of [client.sent, again.sent, entries]) expect(JSON.stringify(told)).not.toContain(SECRET);
  });

  test('what comes with load takes the place of what was there', async () => {
    const { at, client, begin } = await open();
    const sessionId = await begin([SEARCH, PROGRAM]);
    await client.ask('session/resume', { sessionId, cwd: '/w', mcpServers: [PROGRAM] });
    const names = async () => (await at.door.ports.sessions.session(OWNER, sessionId))?.servers.map(({ name }) => name);
    expect(await names()).toEqual(['local']);
    await client.ask('session/load', { sessionId, cwd: '/w', mcpServers: [] });
    expect(await names()).toEqual([]);
  });

  const REFUSED: { what: string; server: object; policy: Policy; words: string }[] = [
    {
      what: 'is not named',
      server: SEARCH,
      policy: { ...OPEN, servers: [] },
      words: 'search: policy.servers of the holarchy does not list "search"',
    },
    {
      what: 'has a host that is not allowed',
      server: { ...SEARCH, url: 'https://other.example/' },
      policy: OPEN,
      words: 'does not allow the host',
    },
    {
      what: 'needs a closed network',
      server: SEARCH,
      policy: { ...OPEN, network: { access: 'none', hosts: [] } },
      words: 'policy.network',
    },
    {
      what: 'may do more than policy allows',
      server: SEARCH,
      policy: { ...OPEN, side_effects: 'local_write' },
      words: 'side_effects',
    },
    {
      what: 'takes the name of one of ours',
      server: { ...PROGRAM, name: 'git' },
      policy: OPEN,
      words: 'hca has a server of its own by this name',
    },
    { what: 'speaks SSE', server: { ...SEARCH, type: 'sse' }, policy: OPEN, words: 'SSE' },
    { what: 'has a name that is none', server: { ...PROGRAM, name: 'a.b' }, policy: OPEN, words: 'a.b: name' },
    { what: 'is not complete', server: { name: 'local' }, policy: OPEN, words: 'local: command' },
    {
      what: 'is of a kind from the future',
      server: { type: 'telepathy', name: 'local' },
      policy: OPEN,
      words: 'local: type',
    },
  ];

  test.each(REFUSED)(
    'one that $what is refused in words, and the session goes on',
    async ({ server, policy, words }) => {
      const { client, begin, notices } = await open(policy);
      const sessionId = await begin([server]);
      expect((await client.prompt(sessionId, 'take the turn')).result).toEqual({ stopReason: 'end_turn' });
      expect(notices()[0]).toContain(words);
      expect(JSON.stringify(client.sent)).not.toContain(SECRET);
    },
  );
});
