// A change to a folder of another machine, which this host cannot reach: the editor writes what it can, and a person is told what is left, with the
// whole change as a patch (protocols 5.1, fs/*).
import { afterEach, describe, expect, test } from 'vitest';
import { changeSet } from '#shared/domain/change-set.ts';
import { session, type TestClient } from '#test/support/acp.ts';
import type { Loose, Sent } from '#test/support/acp-schema.ts';
import { AFTER, BEFORE, bytes, changingDoor } from '#test/support/changing-door.ts';
import type { TestDoor } from '#test/support/door.ts';

const TREE = 'b'.repeat(64);
const FS = { fs: { readTextFile: true, writeTextFile: true } };
const BINARY = {
  mode: 'file' as const,
  sha256: 'c'.repeat(64),
  base64: Buffer.from([0, 1]).toString('base64'),
};
const CHANGE = changeSet('0'.repeat(64), [
  { path: 'sum.js', before: bytes(BEFORE), after: bytes(AFTER) },
  { path: 'fresh.js', before: null, after: bytes('1\n') },
  { path: 'gone.js', before: bytes('x'), after: null },
  { path: 'logo.png', before: null, after: BINARY },
  { path: 'big.js', before: null, after: bytes('x'.repeat(40_000)) },
  { path: 'run.sh', before: bytes('a'), after: { ...bytes('b'), mode: 'exec' as const } },
]);
const closing: TestDoor[] = [];
afterEach(async () => {
  for (const at of closing.splice(0)) await at.close();
});

const open = async (capabilities: object) => {
  const { at, applied } = await changingDoor({ change: CHANGE });
  closing.push(at);
  const made = await session(at, capabilities);
  const { client, sessionId } = made;
  const task = { workspace: { tree: TREE, root: '/home/me/shop' } };
  const prompt = [{ type: 'text', text: 'take the turn' }];
  const id = await client.begin('session/prompt', { sessionId, prompt, _meta: { hca: { task } } });
  return { at, applied, id, ...made };
};

const isQuestion = ({ method }: Sent) => method === 'session/request_permission';
const allow = { outcome: { outcome: 'selected', optionId: 'once' } };

/** Answers reads from what the editor holds, and writes into it, until the prompt is answered. */
const serveFiles = async (client: TestClient, held: Record<string, string>, id: number): Promise<string[]> => {
  const done = new Map<unknown, string>();
  const isNext = (frame: Sent) =>
    frame.method === undefined ? frame.id === id : frame.method.startsWith('fs/') && !done.has(frame.id);
  for (;;) {
    const next = await client.wire.until(isNext);
    if (next.method === undefined) return [...done.values()];
    done.set(next.id, `${next.method} ${next.params?.path}`);
    await client.wire.send({ jsonrpc: '2.0', id: next.id, ...editor(held, next) });
  }
};

const editor = (held: Record<string, string>, { method, params }: Sent) => {
  const { path, content } = params as Loose;
  if (method === 'fs/write_text_file') {
    held[path] = content;
    return { result: {} };
  }
  return held[path] === undefined
    ? { error: { code: -32002, message: 'not there' } }
    : { result: { content: held[path] } };
};

const lastWords = (client: TestClient): string =>
  client
    .updates('agent_message_chunk')
    .filter(({ messageId }) => String(messageId).endsWith(':applied'))
    .map(({ content }) => content.text ?? content.uri)
    .join('\n');

describe('a change to a folder of another machine', () => {
  test('is written by the editor as far as it can; the rest is named, and the patch is linked', async () => {
    const { client, applied, id } = await open(FS);
    await client.reply(await client.wire.until(isQuestion), allow);
    const held: Record<string, string> = { '/w/sum.js': BEFORE };
    const asked = await serveFiles(client, held, id);
    expect(held).toEqual({ '/w/sum.js': AFTER, '/w/fresh.js': '1\n' });
    expect(asked.filter((line) => line.startsWith('fs/read'))).toHaveLength(2);
    const words = lastWords(client);
    expect(words).toContain('Written: fresh.js, sum.js');
    for (const left of [
      'gone.js: an editor cannot be asked to delete a file',
      'logo.png: it is not text',
      'big.js: it is too large for one message',
      'run.sh: an editor cannot set the mode of a file',
    ]) {
      expect(words).toContain(left);
    }
    expect(words).toMatch(/hca:\/\/artifacts\/.+\.patch@1/);
    expect(applied).toEqual([]);
  });

  test('is not written at all when the editor holds something else', async () => {
    const { client, id } = await open(FS);
    await client.reply(await client.wire.until(isQuestion), allow);
    const held: Record<string, string> = { '/w/sum.js': 'edited, not saved' };
    const asked = await serveFiles(client, held, id);
    expect(asked.some((line) => line.startsWith('fs/write'))).toBe(false);
    expect(held).toEqual({ '/w/sum.js': 'edited, not saved' });
    expect(lastWords(client)).toContain('sum.js: it is not as it was when the task began');
  });

  test.each([[{}], [{ fs: { writeTextFile: true } }], [{ fs: { readTextFile: true } }]])(
    'is not even asked about where the editor offers %j: a person is told where it is',
    async (capabilities) => {
      const { client, applied, id } = await open(capabilities);
      expect((await client.answerTo(id)).result).toEqual({ stopReason: 'end_turn' });
      expect(client.sent.some(isQuestion)).toBe(false);
      expect(client.sent.some(({ method }) => method?.startsWith('fs/'))).toBe(false);
      expect(lastWords(client)).toContain('Nothing was written.');
      expect(lastWords(client)).toContain('sum.js: this editor does not let an agent read and write its files');
      expect(lastWords(client)).toMatch(/\.patch@1/);
      expect(applied).toEqual([]);
    },
  );

  test('is refused to whoever asks this host to write it, with what to do instead', async () => {
    const { at, client, id, applied } = await open({});
    await client.answerTo(id);
    await expect(at.ask('_hca/task/apply', { task: 'last' })).rejects.toMatchObject({
      message: '/home/me/shop is not a folder of this host',
      data: { code: 'HcaRefused', remedy: expect.stringContaining('hca apply --endpoint') },
    });
    expect((await at.ask('_hca/task/diff', { task: 'last' })).elsewhere).toBe(true);
    expect(applied).toEqual([]);
  });

  test('goes on from the same content with "also", without a folder to look at', async () => {
    const { at, client, id, prompt } = await open({});
    await client.answerTo(id);
    await prompt('also take the left');
    const [second, first] = (await at.ask('_hca/task/list', {})).tasks;
    const record = await at.door.ports.tasks.load('local', second?.task ?? '');
    expect(record?.kind === 'task' && record.spec).toMatchObject({
      goal: 'take the left',
      workspace: { root: '/home/me/shop', tree: TREE, elsewhere: true },
    });
    expect(record?.kind === 'task' && record.continues).toBe(first?.task);
    expect(record?.kind === 'task' && record.spec.start_from).not.toBeNull();
  });
});
