// `npm start` as a newcomer sees it: a change that needs two attempts, an escalation up to the root, and nothing left running.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ended } from '#test/support/command.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

it('runs the main job on the examples, each to the end it should have; the second learns from the first', async () => {
  const top = mkdtempSync(path.join(os.tmpdir(), 'hca-start-test-'));
  const env = { ...process.env, NO_COLOR: '1', TMPDIR: top, INIT_CWD: ROOT };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'cli/start.ts'], { cwd: ROOT, env });
  const { exit, out, err } = await ended(child);
  expect(err).toBe('');
  expect(out).toMatch(/review 1 by evaluator: fail[\s\S]*review 2 by evaluator: pass/);
  expect(out).toMatch(/ACCEPTED[\s\S]*ESCALATED/);
  expect(out).toMatch(/Attempts: 2\s+Learned: (lesson-\S+)[\s\S]*Attempts: 1\s+Because of \1: (?:strong|safe)-fixes/);
  expect(out).toContain('All ended as they should');
  expect(exit).toBe(0);
  rmSync(top, { recursive: true, force: true });
});
