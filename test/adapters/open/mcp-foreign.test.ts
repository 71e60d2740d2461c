// A foreign MCP server runs inside the session, only when the policy lists it, and only with tools that were classified.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import { ProcessSandbox } from '#shared/adapters/local/process-sandbox.ts';
import { findMarked } from '#shared/adapters/local/sandbox/strays.ts';
import { McpTools } from '#shared/adapters/open/mcp-tools.ts';
import { Policy } from '#shared/contracts/policy.ts';
import { folder, layOut } from '../local/sandbox/folders.ts';
import { KINDS } from '../local/sandbox/sandboxes.ts';
import { context } from './tool-bench.ts';

const MODULES = join(import.meta.dirname, '../../../node_modules');
const PROGRAM = join(MODULES, '@modelcontextprotocol/server-filesystem/dist/index.js');
const read = { side_effect: 'read_only' as const, writes: [] };
const write = { side_effect: 'local_write' as const, writes: ['path'] };
const FILES = {
  command: ['node', PROGRAM, '${workspace}'],
  tools: { read_text_file: read, list_directory: read, write_file: write, no_such_tool: read },
};
const policy = Policy.parse({
  tools: { allow: ['files.*', 'broken.*'] },
  side_effects: 'destructive',
  paths: { write: ['src/**'] },
  servers: ['files', 'broken'],
});

async function foreign(bubblewrap: boolean) {
  const [home, root] = [folder('home'), layOut(folder('ws'), { 'src/a.txt': 'hello', 'b.txt': 'b' })];
  const { trees, ...workspaces } = {
    trees: new FilesWorkspaces(home).trees,
    take: (path: string) => new FilesWorkspaces(home).take(path),
  };
  const sandbox = new ProcessSandbox(join(home, 'sessions'), { trees, bubblewrap, show: [MODULES] });
  const { tree } = await workspaces.take(root);
  await sandbox.open({ id: 's1', tree, workspace: root, network: false });
  const broken = { command: ['node', '-e', 'process.exit(3)'], tools: { x: read } };
  const tools = new McpTools(sandbox, { servers: { files: FILES, broken } });
  const here = (await sandbox.run('s1', { command: 'pwd', timeout_ms: 5000, output_bytes: 1000 })).stdout.trim();
  const mine = () => findMarked((mark) => mark.sandbox === join(home, 'sessions'));
  return { sandbox, tools, root, here, mine };
}

describe.each(KINDS)('server-filesystem ($name)', ({ bubblewrap }) => {
  it('reads and writes the session, not the original, with evidence', async () => {
    const { tools, sandbox, here, root, mine } = await foreign(bubblewrap);
    const call = (tool: string, args: Record<string, string>) =>
      tools.call(context({ policy }), { tool, arguments: args });
    const got = await call('files.read_text_file', { path: `${here}/src/a.txt` });
    expect(got).toMatchObject({
      status: 'ok',
      result: { text: 'hello' },
      rule: 'tools.allow:files.*',
      evidence: { kind: 'tool' },
    });
    expect(got.evidence?.confinement.kind).toBe(bubblewrap ? 'bubblewrap' : 'process-group');
    expect((await call('files.write_file', { path: `${here}/src/new.txt`, content: 'n' })).status).toBe('ok');
    expect((await sandbox.archive('s1')).files.map((file) => file.path)).toEqual(['src/new.txt']);
    expect(existsSync(join(root, 'src/new.txt'))).toBe(false);
    expect(await call('files.read_text_file', { path: '/etc/hostname' })).toMatchObject({ status: 'error' });
    expect(await call('files.write_file', { path: `${here}/b.txt`, content: '' })).toMatchObject({
      status: 'refused',
      rule: 'paths.write',
    });
    expect(await call('files.read_text_file', {})).toMatchObject({ status: 'refused', rule: 'arguments' });
    await tools.release('s1');
    await vi.waitUntil(() => mine().length === 0);
  });
});

describe('foreign servers are closed unless opened', () => {
  it('a server the policy does not list is not even started', async () => {
    const { tools, mine } = await foreign(false);
    const closed = { ...policy, servers: [] };
    expect(
      await tools.call(context({ policy: closed }), { tool: 'files.read_text_file', arguments: { path: 'x' } }),
    ).toMatchObject({ status: 'refused', rule: 'servers' });
    expect(await tools.list(context({ policy: closed }))).toEqual([]);
    expect(mine()).toEqual([]);
  });

  it('a tool that is not classified does not exist, whatever the server offers; a hint only tightens', async () => {
    const { tools } = await foreign(false);
    const call = (tool: string, extra = {}) =>
      tools.call(context({ policy, ...extra }), { tool, arguments: { path: 'src/x', content: '' } });
    expect(await call('files.move_file')).toMatchObject({ status: 'refused', rule: 'side_effects' });
    expect(await call('files.no_such_tool')).toMatchObject({ status: 'refused', rule: 'tools.unknown' });
    const mild = { ...policy, side_effects: 'local_write' as const };
    expect(await call('files.write_file', { policy: mild })).toMatchObject({
      status: 'refused',
      rule: 'side_effects:local_write',
    });
    const listed = await tools.list(context({ policy }));
    expect(listed.map(({ tool, ready, side_effect }) => [tool, ready, side_effect])).toEqual([
      ['broken.x', false, 'read_only'],
      ['files.list_directory', true, 'read_only'],
      ['files.read_text_file', true, 'read_only'],
      ['files.write_file', true, 'destructive'],
    ]);
  });

  it('one that does not start is a retryable fault that names it', async () => {
    const { tools } = await foreign(false);
    await expect(tools.call(context({ policy }), { tool: 'broken.x', arguments: {} })).rejects.toMatchObject({
      name: 'HcaUnavailable',
      message: expect.stringContaining('broken'),
    });
  });
});
