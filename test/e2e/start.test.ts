// `npm start` as a newcomer sees it: a change that needs two attempts, an escalation up to the root, and nothing left running.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ended } from '#test/support/command.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

it('runs the main job on both examples, each to the end it should have', async () => {
  const top = mkdtempSync(path.join(os.tmpdir(), 'hca-start-test-'));
  const env = { ...process.env, NO_COLOR: '1', TMPDIR: top, INIT_CWD: ROOT };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'cli/start.ts'], { cwd: ROOT, env });
  const { exit, out, err } = await ended(child);
  expect(err).toBe('');
  expect(out).toMatch(/review 1 by evaluator: fail[^]*review 2 by evaluator: pass/);
  expect(out).toMatch(/ACCEPTED[^]*ESCALATED/);
  expect(out).toContain('Both ended as they should');
  expect(exit).toBe(0);
  rmSync(top, { recursive: true, force: true });
});
