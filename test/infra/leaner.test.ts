// What a bundle leaves out is never asked for: a tool over MCP works in one, arguments are checked by the schema of the tool, and a result by its own.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { leaner } from '#scripts/bundles/leaner.ts';

/** A sandbox with one file, in which every command prints `hi`. */
const ENTRY = `
import { connectOwn } from './shared/adapters/open/mcp-connection.ts';
const confinement = { kind: 'remote', network: true, memory_limited: false, notes: [] };
const ran = { exit_code: 0, signal: null, timed_out: false, interrupted: false, stdout: 'hi', stderr: '', stdout_sha256: '', stderr_sha256: '',
  stdout_bytes: 2, stderr_bytes: 0, truncated: false, duration_ms: 1, confinement };
const sandbox = { read: async () => Buffer.from('hello'), run: async () => ran };
const servers = await connectOwn(sandbox, () => undefined);
const options = { session: 's', id: 'c', timeout_ms: 5000 };
const shell = servers.get('shell');
export const told = {
  read: await servers.get('filesystem').call('read_file', { path: 'a' }, options),
  ran: await shell.call('run', { command: 'hi' }, options),
  right: await shell.tools.get('run').problem({ command: 'hi' }),
  wrong: await shell.tools.get('run').problem({ command: 7 }),
};
for (const server of servers.values()) await server.close();
`;

const folder = mkdtempSync(path.join(os.tmpdir(), 'hca-leaner-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const Told = z.looseObject({
  read: z.looseObject({ text: z.string(), failed: z.boolean() }),
  ran: z.looseObject({ text: z.string(), failed: z.boolean() }),
  right: z.null(),
  wrong: z.string(),
});

beforeAll(async () => {
  await build({
    stdin: { contents: ENTRY, resolveDir: process.cwd(), loader: 'ts' },
    outfile: path.join(folder, 'one.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    conditions: ['module'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [leaner],
  });
});

test('tools over MCP work in a bundle', async () => {
  const { told }: { told: unknown } = await import(pathToFileURL(path.join(folder, 'one.mjs')).href);
  expect(Told.parse(told)).toMatchObject({
    read: { text: 'hello', failed: false },
    ran: { text: 'hi', failed: false },
    right: null,
    wrong: expect.stringContaining('command'),
  });
});
