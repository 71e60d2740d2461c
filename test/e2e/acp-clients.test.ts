// The official SDK's client over stdio, WebSocket and HTTP: a prompt with plan, permission and answer, and coming back with session/load.
import { client, methods, type SessionNotification } from '@agentclientprotocol/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import type { LocalServer } from '#local/server.ts';
import { TestClient } from '#test/support/acp.ts';
import { openStream, serve, type Transport, wireOf } from '#test/support/acp-wires.ts';
import { changingDoor } from '#test/support/changing-door.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const open = async (held?: Promise<void>): Promise<{ server: LocalServer; applied: string[] }> => {
  const { at, applied } = await changingDoor({}, held);
  const server = await serve(at);
  closing.push(
    () => at.close(),
    () => server.close(),
  );
  return { server, applied };
};

/** A client that keeps what it sees and answers questions with `option`. */
const editor = (option: string) => {
  const seen: SessionNotification[] = [];
  const asked: string[] = [];
  const app = client({ name: 'test-editor' })
    .onNotification(methods.client.session.update, ({ params }) => void seen.push(params))
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params.toolCall.title ?? '');
      return { outcome: { outcome: 'selected', optionId: option } };
    });
  const kinds = () => new Set(seen.map(({ update }) => update.sessionUpdate));
  return { app, seen, asked, kinds };
};

const HELLO = { protocolVersion: 1, clientCapabilities: {} };

describe.each<Transport>(['stdio', 'websocket', 'http'])('the official client over %s', (transport) => {
  it('initializes, prompts, sees the plan, is asked, and gets the final answer', async () => {
    const { server, applied } = await open();
    const { app, asked, kinds, seen } = editor('once');
    const { stream, end } = openStream(transport, server.port);
    closing.push(end);
    await app.connectWith(stream, async (agent) => {
      const hello = await agent.request(methods.agent.initialize, HELLO);
      expect(hello).toMatchObject({ protocolVersion: 1, agentInfo: { name: 'hca' } });
      const { sessionId } = await agent.request(methods.agent.session.new, { cwd: '/w', mcpServers: [] });
      const answer = await agent.request(methods.agent.session.prompt, {
        sessionId,
        prompt: [{ type: 'text', text: 'take the turn and take the left' }],
      });
      expect(answer).toEqual({ stopReason: 'end_turn' });
    });
    expect(asked).toEqual(['Apply 1 changed file(s) to /w']);
    expect(applied).toEqual(['write /w sum.js']);
    for (const kind of [
      'plan',
      'tool_call',
      'tool_call_update',
      'agent_message_chunk',
      'usage_update',
      'available_commands_update',
    ])
      expect(kinds(), kind).toContain(kind);
    expect(seen.at(-1)?.update.sessionUpdate).toBe('agent_message_chunk');
  });

  it('goes away in the middle and comes back: load shows all of it, and then it goes on', async () => {
    const { server, applied } = await open();
    const first = editor('once');
    const wire = openStream(transport, server.port);
    let sessionId = '';
    await first.app.connectWith(wire.stream, async (agent) => {
      await agent.request(methods.agent.initialize, HELLO);
      sessionId = (await agent.request(methods.agent.session.new, { cwd: '/w', mcpServers: [] })).sessionId;
      agent
        .request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: 'take the turn' }] })
        .catch(() => undefined);
      // Something was seen, so the prompt has arrived.
      while (!first.kinds().has('plan')) await new Promise((resolve) => setImmediate(resolve));
    });
    await wire.end();
    const second = editor('once');
    const again = openStream(transport, server.port);
    closing.push(again.end);
    await second.app.connectWith(again.stream, async (agent) => {
      await agent.request(methods.agent.initialize, HELLO);
      await agent.request(methods.agent.session.load, { sessionId, cwd: '/w', mcpServers: [] });
      const isDone = () => second.seen.some(({ update }) => JSON.stringify(update).includes('Written: sum.js'));
      while (!isDone()) await new Promise((resolve) => setImmediate(resolve));
    });
    expect(applied).toEqual(['write /w sum.js']);
    const updates = second.seen.map(({ update }) => update);
    expect(updates.find(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk')).toMatchObject({
      content: { text: 'take the turn' },
    });
    const calls = updates.flatMap((update) => (update.sessionUpdate === 'tool_call' ? [update.toolCallId] : []));
    expect(new Set(calls).size).toBe(calls.length);
    // Usage is shown while it runs too; the result is said once.
    expect(second.kinds()).toContain('usage_update');
    expect(updates.filter((update) => 'messageId' in update && update.messageId?.endsWith(':result'))).toHaveLength(1);
  });
});

it('a session may want its answer as soon as the task is accepted: progress and result come later, and nothing is asked', async () => {
  const gate = Promise.withResolvers<void>();
  const { server, applied } = await open(gate.promise);
  const { stream, end } = openStream('websocket', server.port);
  closing.push(end);
  const wire = new TestClient(wireOf(stream));
  await wire.hello();
  const sessionId = await wire.newSession();
  await wire.ask('session/set_config_option', { sessionId, configId: 'answer', value: 'accepted' });
  // The work is held, so an answer now is an answer before the end.
  expect((await wire.prompt(sessionId, 'take the turn')).result).toEqual({ stopReason: 'end_turn' });
  gate.resolve();
  await wire.wire.until(({ params }) => String(params?.update?.messageId).endsWith(':result'));
  await wire.prompt(sessionId, '/apply');
  expect(applied).toEqual(['write /w sum.js']);
  expect(wire.sent.some(({ method }) => method === 'session/request_permission')).toBe(false);
});
