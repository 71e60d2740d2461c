// `hca acp` as an editor starts it, on a real workspace with the real host: protocol lines only, a change to the folder, the end of stdin, and a
// host that is killed in the middle.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClient } from '#test/support/acp.ts';
import { startAcp, streamOf, wireOf } from '#test/support/acp-wires.ts';
import { ended, makePlace, makeProject, type Place } from '#test/support/command.ts';

let place: Place;
let project: string;
beforeAll(() => {
  place = makePlace();
  project = makeProject(place.top);
});
afterAll(() => place.close());

const editor = () => {
  const child = startAcp([], { HCA_HOME: place.home, HCA_IDLE_MINUTES: '5' });
  return { child, client: new TestClient(wireOf(streamOf(child))) };
};

it('fixes a real project: the folder changes only after the person said so', async () => {
  const before = readFileSync(path.join(project, 'sum.js'), 'utf8');
  const { child, client } = editor();
  await client.hello();
  const sessionId = await client.newSession(project);
  const prompt = await client.beginPrompt(sessionId, 'make lint pass');
  const question = await client.wire.until(({ method }) => method === 'session/request_permission');
  expect(readFileSync(path.join(project, 'sum.js'), 'utf8')).toBe(before);
  expect(question.params?.toolCall.content).toContainEqual(
    expect.objectContaining({ type: 'diff', path: path.join(project, 'sum.js'), oldText: before }),
  );
  await client.reply(question, { outcome: { outcome: 'selected', optionId: 'once' } });
  expect((await client.answerTo(prompt)).result).toEqual({ stopReason: 'end_turn' });
  expect(readFileSync(path.join(project, 'sum.js'), 'utf8')).not.toBe(before);
  await client.prompt(sessionId, 'what can you do?');
  expect(client.updates('agent_message_chunk').at(-1)?.content.text).toContain('What I can do');
  child.stdin?.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('TRANSPORT-001 SHUTDOWN-001: stdout holds JSON lines only, whatever comes in, and the process ends with its input', async () => {
  const frames = [
    'not json',
    '[]',
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}',
    '',
  ];
  const { exit, out } = await place.hca(['acp'], { input: frames.join('\n') });
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(exit).toBe(0);
  expect(lines.map(({ id, error, result }) => [id, error?.code ?? result?.protocolVersion])).toEqual([
    [null, -32700],
    [null, -32600],
    [1, 1],
  ]);
});

it('after kill -9 of the host in the middle of a prompt, load shows all and the task goes on to its end', async () => {
  const first = editor();
  await first.client.hello();
  const sessionId = await first.client.newSession(project);
  await first.client.beginPrompt(sessionId, 'make lint pass');
  await first.client.wire.until(({ params }) => params?.update?.sessionUpdate === 'plan');
  process.kill(place.hostFile().pid, 'SIGKILL');
  const [code] = await once(first.child, 'exit');
  expect(code).toBe(6);
  const second = editor();
  await second.client.hello();
  const loaded = await second.client.ask('session/load', { sessionId, cwd: project, mcpServers: [] });
  expect(loaded.error).toBeUndefined();
  expect(second.client.updates('user_message_chunk')[0]?.content.text).toBe('make lint pass');
  // Usage is shown while it runs as well; the result only at the end.
  await second.client.wire.until(({ params }) => String(params?.update?.messageId).endsWith(':result'));
  expect(second.client.updates('plan').at(-1)?.entries.at(-1)).toMatchObject({
    content: 'COMPOUND',
    status: 'completed',
  });
  second.child.stdin?.end();
  await once(second.child, 'exit');
});

it('says on stderr what is wrong with an endpoint, and nothing on stdout', async () => {
  const ran = await ended(place.start(['acp', '--endpoint', 'nonsense']));
  expect(ran).toMatchObject({ exit: 2, out: '', err: expect.stringContaining('--endpoint') });
  const gone = await ended(place.start(['acp', '--endpoint', 'ws://127.0.0.1:9/acp'], { env: { HCA_TOKEN: 'x' } }));
  expect(gone).toMatchObject({ exit: 6, out: '' });
});
