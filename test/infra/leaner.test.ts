// What a bundle leaves out is never asked for: a tool over MCP works in one, arguments are checked by the schema of the tool, and a result by its own.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leaner } from '#scripts/bundles/leaner.ts';
import { BUNDLE } from '#scripts/bundles/options.ts';

/** A sandbox with one file, in which every command prints `hi`. */
const ENTRY = `
import { McpTools } from './shared/adapters/open/mcp-tools.ts';
import { Policy } from './shared/contracts/policy.ts';
const confinement = { kind: 'remote', network: true, memory_limited: false, notes: [] };
const ran = { exit_code: 0, signal: null, timed_out: false, interrupted: false, stdout: 'hi', stderr: '', stdout_sha256: '', stderr_sha256: '',
  stdout_bytes: 2, stderr_bytes: 0, truncated: false, duration_ms: 1, confinement };
const tools = new McpTools({ read: async () => Buffer.from('hello'), run: async () => ran });
const policy = Policy.parse({ tools: { allow: ['filesystem.*', 'shell.*'] }, side_effects: 'local_write', paths: { write: ['**'], deny: [] },
  servers: ['filesystem', 'shell'] });
const context = { tenant: 'local', task: 't', holon: 'developer', session: 's', policy, lane: 'worker' };
const call = (tool, args) => tools.call(context, { tool, arguments: args });
export const told = {
  read: await call('filesystem.read_file', { path: 'a' }),
  ran: await call('shell.run', { command: 'hi' }),
  wrong: await call('shell.run', { command: 7 }),
};
`;

const folder = mkdtempSync(path.join(os.tmpdir(), 'hca-leaner-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  await build({
    stdin: { contents: ENTRY, resolveDir: process.cwd(), loader: 'ts' },
    outfile: path.join(folder, 'one.mjs'),
    ...BUNDLE,
    plugins: [leaner],
  });
});

test('tools over MCP work in a bundle', async () => {
  const { told }: { told: unknown } = await import(pathToFileURL(path.join(folder, 'one.mjs')).href);
  expect(told).toMatchObject({
    read: { status: 'ok', result: { text: 'hello' } },
    ran: { status: 'ok', result: { text: 'hi' } },
    wrong: { status: 'refused', rule: 'arguments', result: { text: expect.stringContaining('command') } },
  });
});
