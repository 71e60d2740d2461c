// The main job as a person does it: run, watch, diff, apply, branch, detach, cancel, come back after the host was killed.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ended, makePlace, makeProject, type Place, says } from '#test/support/command.ts';

let place: Place;
let project: string;
beforeAll(() => {
  place = makePlace();
  project = makeProject(place.top);
});
afterAll(() => place.close());

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd: project,
    encoding: 'utf8',
  });

describe('an accepted task', () => {
  it('ends with a verdict by another holon; the folder is as it was', async () => {
    const before = readFileSync(path.join(project, 'sum.js'), 'utf8');
    const ran = await place.hca(['run', 'make lint pass', '--workspace', project, '--json']);
    expect(ran.err).toBe('');
    const done = JSON.parse(ran.out);
    expect(done).toMatchObject({ outcome: 'accepted', exit: 0, verdict: { result: 'pass' } });
    expect(ran.exit).toBe(0);
    expect(done.verdict.producer_holon).not.toBe(done.verdict.evaluator_holon);
    expect(done.files.map((file: { path: string }) => file.path)).toEqual(['sum.js']);
    expect(done.spent.calls).toBeGreaterThan(0);
    expect(readFileSync(path.join(project, 'sum.js'), 'utf8')).toBe(before);
  });

  it('is watched from the beginning in plain lines, and as one JSON document a line', async () => {
    const plain = await place.hca(['watch']);
    expect(plain.out).toContain('ACCEPTED');
    expect(plain.out).not.toContain('\u001b');
    const lines = (await place.hca(['watch', 'last', '--json'])).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ type: 'end', outcome: 'accepted', exit: 0 });
    const keys = lines.slice(0, -1).map((entry) => `${entry.record} ${entry.version} ${entry.note}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('is shown by every command that looks at a task', async () => {
    for (const command of ['status', 'tree', 'trace', 'journal', 'verdict', 'escalation', 'artifacts', 'diff']) {
      expect(await place.hca([command, 'last']), command).toMatchObject({ exit: 0, err: '' });
      expect(await place.json([command, 'last']), command).toBeTypeOf('object');
    }
    expect((await place.hca(['tasks'])).out).toContain('accepted');
  });

  it('is traced: every execution below it with its states, times and attempts', async () => {
    const trace = await place.json(['trace', 'last']);
    const nodes = [trace.tree, ...trace.tree.children];
    expect(
      nodes.every((node: { executions: { status: string }[] }) => node.executions[0]?.status === 'SUCCEEDED'),
    ).toBe(true);
    const walked = trace.tree.executions[0].states.map((state: { name: string }) => state.name).join(' ');
    expect(walked).toMatch(/^Plan (Wave (Delegate )+)+Collect Review Accept Compound$/);
    const entry = (await place.json(['journal', 'last'])).entries[0];
    expect(trace.trace_id).toMatch(/^[0-9a-f]{32}$/);
    expect(entry.root).toBe(trace.task);
    const lines = (await place.hca(['trace'])).out;
    expect(lines).toContain('SUCCEEDED');
    expect(lines).toContain(`${trace.transitions} transitions`);
    expect(trace.usd_micros.transitions).toBe(0);
  });

  it('is applied as a branch beside the files, then to the files, and not over other edits', async () => {
    expect((await place.hca(['apply', 'last', '--branch', 'hca/lint'])).err).toContain('no git repository');
    git('init', '-q');
    writeFileSync(path.join(project, '.gitignore'), 'node_modules\n');
    git('add', '.');
    git('commit', '-q', '-m', 'start');
    expect(await place.hca(['apply', 'last', '--branch', 'hca/lint'])).toMatchObject({ exit: 0, err: '' });
    expect(git('status', '--porcelain')).toBe('');
    expect(git('diff', '--name-only', 'HEAD', 'hca/lint').trim()).toBe('sum.js');
    expect((await place.hca(['apply', 'last', '--branch', 'hca/lint'])).exit).toBe(2);
    expect(await place.hca(['apply', 'last', '--check'])).toMatchObject({ exit: 0 });
    expect(git('status', '--porcelain')).toBe('');
    writeFileSync(path.join(project, 'sum.js'), 'export const sum = 1;\n');
    const conflict = await place.hca(['apply', 'last']);
    expect(conflict.exit).toBe(2);
    expect(conflict.out).toContain('Nothing was written');
    expect(readFileSync(path.join(project, 'sum.js'), 'utf8')).toBe('export const sum = 1;\n');
    git('checkout', '-q', '.');
    expect(await place.hca(['apply', 'last'])).toMatchObject({ exit: 0 });
    expect(git('diff', '--name-only', 'hca/lint')).toBe('');
  });
});

describe('other ends', () => {
  it('rejects what nothing here can do, and says what can be asked', async () => {
    const ran = await place.hca(['run', 'write me a poem about the sea', '--workspace', project]);
    expect(ran.exit).toBe(4);
    expect(ran.out).toContain('REJECTED');
    expect(ran.out).toContain('no_capability');
  });

  it('shows a plan and starts nothing', async () => {
    const before = (await place.json(['tasks'])).tasks.length;
    const plan = await place.json(['run', 'make lint pass', '--workspace', project, '--dry-run']);
    expect(plan.estimate.usd_micros).toBeGreaterThan(300);
    const estimate = await place.hca(['run', 'make lint pass', '--workspace', project, '--estimate']);
    expect(estimate.out).toMatch(/Cost in the cloud\n {2}\$0\.00\d+ .*for each further attempt/);
    expect(plan).toMatchObject({ dry_run: true, ok: true, exit: 0 });
    expect(plan.criteria.length).toBeGreaterThan(0);
    expect((await place.json(['tasks'])).tasks).toHaveLength(before);
  });

  it('takes a goal of 1 MB from stdin as the mistake it is', async () => {
    const ran = await place.hca(['run', '-', '--workspace', project, '--json'], {
      input: 'make lint pass '.repeat(70_000),
    });
    expect(ran.exit).toBe(2);
    expect(JSON.parse(ran.out).error).toMatchObject({ field: 'goal', code: 'HcaBadInput' });
  });

  it('refuses a workspace that holds the home, is a file, or is not there', async () => {
    for (const folder of [place.top, path.join(project, 'sum.js'), path.join(place.top, 'nowhere')]) {
      const ran = await place.hca(['run', 'make lint pass', '--workspace', folder, '--json']);
      expect(ran.exit, folder).toBe(2);
      expect(JSON.parse(ran.out).error, folder).toMatchObject({
        field: 'workspace',
        remedy: expect.stringMatching(/./),
      });
    }
  });
});

/** Run three times (before, after, by the evaluator), so the task is still open when the two seconds after a Ctrl-C are over. */
const SLOW_TEST = `import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
test('takes its time', () => setTimeout(1500));
`;

describe('Ctrl-C', () => {
  it('once: detaches, says how to come back, and the task goes on to its end', async () => {
    const slow = makeProject(place.top, 'slow', SLOW_TEST);
    const child = place.start(['run', 'make lint and tests pass', '--workspace', slow]);
    await says(child, 'submitted');
    const rest = ended(child);
    child.kill('SIGINT');
    const { exit, out } = await rest;
    expect(exit).toBe(130);
    expect(out).toContain('hca watch');
    expect((await place.hca(['watch', 'last'])).exit).toBe(0);
  });

  it('twice: cancels the task and everything below it', async () => {
    const stopped = makeProject(place.top, 'stopped', SLOW_TEST);
    const child = place.start(['run', 'make lint and tests pass', '--workspace', stopped]);
    await says(child, 'submitted');
    const rest = ended(child);
    child.kill('SIGINT');
    await says(child, 'Detaching');
    child.kill('SIGINT');
    const { exit, out } = await rest;
    expect(out).toContain('CANCELLED');
    expect(exit).toBe(5);
    const { tree } = await place.json(['status', 'last']);
    const open = (node: { outcome: string; children: never[] }): boolean =>
      node.outcome === 'open' || node.children.some(open);
    expect(open(tree)).toBe(false);
  });
});

describe('a killed host', () => {
  it('loses nothing: the command that follows goes on with the next host, to the same end', async () => {
    const child = place.start(['run', 'make lint pass', '--workspace', makeProject(place.top, 'killed')]);
    await says(child, 'delegates to');
    const rest = ended(child);
    process.kill(place.hostFile().pid, 'SIGKILL');
    const { exit, out } = await rest;
    expect(out).toContain('ACCEPTED');
    expect(exit).toBe(0);
    expect(existsSync(path.join(place.home, 'host.json'))).toBe(true);
  });
});
