// No connection state in memory: every frame of a whole conversation is handled by a process of its own.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestClient, type Wire } from '#test/support/acp.ts';
import { checker, type Sent } from '#test/support/acp-schema.ts';
import { ended } from '#test/support/command.ts';

const PROGRAM = fileURLToPath(new URL('../support/acp-one-frame.ts', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hca-frames-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const wireOf = (connection: string): Wire => {
  const sent: Sent[] = [];
  const check = checker();
  return {
    sent,
    quiet: async () => undefined,
    send: async (frame) => {
      check.outgoing(frame);
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, folder, connection]);
      child.stdin.end(JSON.stringify(frame));
      const { out, err, exit } = await ended(child);
      expect(`${err}${exit}`).toBe('0');
      for (const line of out.split('\n').filter((text) => text !== '')) sent.push(check.incoming(JSON.parse(line)));
    },
    until: async (match) => {
      const found = sent.find(match);
      if (found === undefined) throw new Error(`it did not come; the last was ${JSON.stringify(sent.at(-1))}`);
      return found;
    },
  };
};

it('a prompt, a permission, a second connection and a load, each frame in a fresh process', async () => {
  const client = new TestClient(wireOf('one'));
  await client.hello();
  const sessionId = await client.newSession();
  const prompt = await client.beginPrompt(sessionId, 'take the turn');
  const question = await client.wire.until(({ method }) => method === 'session/request_permission');
  await client.reply(question, { outcome: { outcome: 'selected', optionId: 'once' } });
  const answer = await client.answerTo(prompt);
  expect(answer.result).toEqual({ stopReason: 'end_turn' });
  expect(client.sent.at(-1)).toBe(answer);
  expect(client.updates('agent_message_chunk').at(-1)?.content.text).toBe('Written: sum.js');
  const second = new TestClient(wireOf('two'));
  await second.hello();
  await second.ask('session/load', { sessionId, cwd: '/w', mcpServers: [] });
  const shown = second.updates().filter(({ sessionUpdate }) => sessionUpdate !== 'user_message_chunk');
  expect(shown).toEqual(client.updates());
});
