// Harness packages and the holarchy as a person changes them: one made from code-fix, one of their own, both put, used by a task and taken back.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { makePlace, makeProject } from '#test/support/command.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/harnesses/greeter', import.meta.url));

const place = makePlace();
afterAll(() => place.close());

const edit = (file: string, change: (text: string) => string): void => {
  const full = path.join(place.top, file);
  const text = readFileSync(full, 'utf8');
  expect(change(text), `${file} changes`).not.toBe(text);
  writeFileSync(full, change(text));
};

describe('a package made from code-fix', () => {
  it('is written, changed, put, used by a task, and taken back', async () => {
    const workspace = makeProject(place.top);
    const ask = ['run', 'make it spotless', '-w', workspace];
    expect(await place.hca(ask)).toMatchObject({ exit: 4 });
    expect((await place.hca(['harness', 'show', 'code-fix', '--to', '.'])).out).toContain('Written to');
    expect(readdirSync(path.join(place.top, 'code-fix')).sort()).toEqual(
      ['catalogue', 'criteria', 'families', 'harness', 'profile', 'readiness', 'tools'].map((part) => `${part}.yaml`),
    );
    expect((await place.hca(['harness', 'put', 'code-fix'])).out).toContain('is in force already, nothing was changed');
    edit('code-fix/families.yaml', (text) => text.replace('clause:', 'clause:\n      - make it spotless => all'));
    expect(await place.hca(['harness', 'put', 'code-fix'])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('write "version: 2" into harness.yaml'),
    });
    edit('code-fix/harness.yaml', (text) => text.replace('version: 1', 'version: 2'));
    const checked = await place.hca(['harness', 'check', './code-fix/']);
    expect(checked).toMatchObject({ exit: 0, err: '' });
    expect(checked.out).toMatch(/version 1 → 2\n~ family make-checks-pass\n {4}grammar\.clause: .* → \["make it spot/);
    expect(await place.hca(ask)).toMatchObject({ exit: 4 });
    expect((await place.hca(['harness', 'put', 'code-fix'])).out).toContain('code-fix is in force.');
    expect(await place.hca(ask)).toMatchObject({ exit: 0 });
    expect((await place.hca(['harness', 'list'])).out).toMatch(/code-fix +version 2 +put here, in place of version 1/);
    await place.hca(['down']);
    expect((await place.json(['harness', 'list'])).harnesses[1]).toMatchObject({ version: 2, origin: 'own' });
    expect((await place.hca(['harness', 'remove', 'code-fix'])).out).toContain(
      'version 1, which comes with hca, is in',
    );
    expect(await place.hca(ask)).toMatchObject({ exit: 4 });
  });

  it('is not written over what is there', async () => {
    mkdirSync(path.join(place.top, 'taken', 'code-fix'), { recursive: true });
    const failed = await place.hca(['harness', 'show', 'code-fix', '--to', 'taken', '--json']);
    expect(failed.exit).toBe(2);
    expect(JSON.parse(failed.out).error).toMatchObject({ field: '--to' });
  });
});

describe('a package of their own', () => {
  it('is used by a holon that is applied with the holarchy, and goes when nobody uses it any more', async () => {
    const work = path.join(place.top, 'letters');
    mkdirSync(work);
    writeFileSync(path.join(work, 'notes.txt'), 'a folder to work on\n');
    const ask = ['run', 'write a greeting for Ada', '-w', work];
    expect((await place.hca(['harness', 'put', EXAMPLE])).out).toMatch(
      /greeter is new here, version 1\n\+ family greet\n/,
    );
    const before = await place.json(['holarchy', 'show']);
    const greeter = {
      id: 'greeter',
      role: 'leaf',
      parent: 'engineering',
      harness: 'greeter',
      families: ['greet'],
      tools: ['filesystem.write_file', 'filesystem.read_file'],
    };
    const file = path.join(place.top, 'mine.yaml');
    const old = path.join(place.top, 'old.json');
    writeFileSync(old, JSON.stringify(before));
    writeFileSync(file, stringify({ ...before, holons: [...before.holons, greeter] }));
    expect(await place.hca(['holarchy', 'diff', file])).toMatchObject({ exit: 1, out: '+ holon greeter\n', err: '' });
    const coloured = await place.hca(['holarchy', 'diff', file], { env: { NO_COLOR: '', FORCE_COLOR: '1' } });
    expect(coloured.out).toBe('\u001b[32m+ holon greeter\u001b[0m\n');
    expect(await place.hca(ask)).toMatchObject({ exit: 4 });
    expect((await place.hca(['holarchy', 'apply', file])).out).toBe(
      '+ holon greeter\n10 holons below root: in force\n',
    );
    expect(await place.hca(['holarchy', 'diff', file])).toMatchObject({ exit: 0, out: 'It would change nothing.\n' });
    expect(await place.hca(ask)).toMatchObject({ exit: 0 });
    expect((await place.hca(['diff', 'last'])).out).toContain('+Hello, Ada.');
    expect(await place.hca(['harness', 'remove', 'greeter'])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('is used by greeter'),
    });
    expect(await place.json(['holarchy', 'apply', old])).toMatchObject({
      applied: true,
      changes: [{ part: 'holon', name: 'greeter', how: 'removed' }],
    });
    expect((await place.hca(['harness', 'remove', 'greeter'])).out).toBe('greeter is removed.\n');
    expect(await place.hca(ask)).toMatchObject({ exit: 4 });
  });

  it('that is damaged in the home is named by doctor and by whatever needs it, and the remedy helps', async () => {
    await place.hca(['harness', 'put', EXAMPLE]);
    await place.hca(['down']);
    const file = path.join(place.home, 'harnesses', 'greeter.json');
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 40));
    const { checks } = await place.json(['doctor']);
    expect(checks.find(({ name }: { name: string }) => name === 'harnesses')).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining(file),
      remedy: expect.stringContaining('hca harness remove greeter'),
    });
    expect(await place.hca(['run', 'make lint pass', '-w', makeProject(place.top, 'other')])).toMatchObject({
      exit: 1,
      err: expect.stringContaining(file),
    });
    expect(await place.hca(['harness', 'remove', 'greeter'])).toMatchObject({ exit: 0 });
    expect((await place.json(['doctor'])).checks.filter(({ status }: { status: string }) => status === 'fail')).toEqual(
      [],
    );
  });

  const broken = (change: (folder: string) => void): string => {
    const folder = path.join(place.top, 'broken', 'greeter');
    rmSync(folder, { recursive: true, force: true });
    cpSync(EXAMPLE, folder, { recursive: true });
    change(folder);
    return folder;
  };
  const put = (file: string, text: string) => (folder: string) => writeFileSync(path.join(folder, file), text);

  it.each([
    ['no YAML', 'tools.yaml', put('tools.yaml', 'a: [')],
    ['a value that does not fit', 'harness.yaml', put('harness.yaml', 'name: greeter\nversion: one\ntitle: x\n')],
    ['a file that no package has', 'tool.yaml', put('tool.yaml', '[]')],
    ['a family without tool', 'families.yaml', put('tools.yaml', '[]')],
  ])('that is not sound is refused before it is sent, with file, field and remedy: %s', async (_what, file, change) => {
    const folder = broken(change);
    for (const command of ['check', 'put']) {
      const failed = await place.hca(['harness', command, folder]);
      expect(failed).toMatchObject({ exit: 2, out: '' });
      expect(failed.err).toContain(`${folder}/${file}`);
      expect(failed.err).toMatch(/remedy: /);
    }
    expect((await place.json(['harness', 'list'])).harnesses).toHaveLength(2);
  });

  it('is no file, and no folder that is not there', async () => {
    const failed = await place.hca(['harness', 'put', 'nowhere', '--json']);
    expect(failed.exit).toBe(2);
    expect(JSON.parse(failed.out).error).toMatchObject({
      field: 'folder',
      message: 'nowhere cannot be read as a folder',
      remedy: expect.stringContaining('harness.yaml'),
    });
  });
});
