// What a stranger does by mistake: wrong homes, files without an end, a host that hangs. Each ends soon, with the field and the remedy.
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isAlive } from '#cli/connect.ts';
import { makePlace, makeProject, type Place } from '#test/support/command.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.close());

const failure = async (args: string[]) => {
  const ran = await place.hca([...args, '--json']);
  return { exit: ran.exit, err: ran.err, ...JSON.parse(ran.out).error };
};

describe('a home that cannot be one', () => {
  it("is refused when it is somebody else's folder, and keeps its rights", async () => {
    const taken = path.join(place.top, 'projects');
    mkdirSync(taken, { mode: 0o755 });
    writeFileSync(path.join(taken, 'thesis.txt'), '');
    const failed = await failure(['up', '--home', taken]);
    expect(failed).toMatchObject({ exit: 6, field: 'HCA_HOME', remedy: expect.stringContaining('of its own') });
    expect(statSync(taken).mode & 0o777).toBe(0o755);
  });

  it.skipIf(!existsSync('/proc/self'))('is refused at once where no folder can be made', async () => {
    expect(await failure(['up', '--home', '/proc/hca/home'])).toMatchObject({ exit: 6, field: 'HCA_HOME' });
  });
});

describe('a word that means nothing', () => {
  it('an empty workspace is an unset variable, never the folder one is in', async () => {
    const project = makeProject(place.top);
    const ran = await place.hca(['run', 'make lint pass', '-w', '', '--json'], { cwd: project });
    expect(ran.exit).toBe(2);
    expect(JSON.parse(ran.out).error).toMatchObject({ field: '--workspace' });
  });

  it('a workspace inside the home is refused', async () => {
    await place.hca(['up']);
    const inside = path.join(place.home, 'sessions');
    expect(await failure(['run', 'make lint pass', '-w', inside])).toMatchObject({ exit: 2, field: 'workspace' });
  });
});

describe('a file that cannot be read as one', () => {
  it.skipIf(!existsSync('/dev/zero'))('one without an end is too large', async () => {
    const failed = await failure(['run', 'make lint pass', '-w', place.top, '--criteria', '/dev/zero']);
    expect(failed).toMatchObject({ exit: 2, field: 'criteria', message: expect.stringContaining('larger than') });
  });

  it('is named by its own use: a holarchy is no criteria file', async () => {
    const failed = await failure(['holarchy', 'apply', 'nowhere.yaml']);
    expect(failed).toMatchObject({ exit: 2, field: 'file', remedy: expect.stringContaining('hca holarchy show') });
  });

  it('with a byte order mark and an unknown tag is what it says, and nothing goes to stderr', async () => {
    const file = path.join(place.top, 'c.yaml');
    writeFileSync(file, '\ufeff- !odd npm test\n');
    const project = makeProject(place.top);
    const ran = await place.hca(['run', 'make lint pass', '-w', project, '-c', file, '--dry-run', '--json']);
    expect(ran).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(ran.out).criteria[0].check.command).toBe('npm test');
  });
});

describe('output that goes nowhere', () => {
  it('a reader that leaves while a task is followed is never told "accepted"', async () => {
    const child = place.start(['run', 'make lint pass', '-w', makeProject(place.top)]);
    child.stdout.once('data', () => child.stdout.destroy());
    const exit = await new Promise((resolve) => child.once('exit', resolve));
    expect(exit).toBe(130);
    expect((await place.hca(['watch', 'last'])).exit).toBe(0);
    const { artifacts } = await place.json(['artifacts', 'last']);
    const got = await place.hca(['artifacts', '--get', artifacts[0].id, '--out', '/nowhere/x', '--json']);
    expect(got.exit).toBe(2);
    expect(JSON.parse(got.out).error).toMatchObject({ field: '--out' });
  });
});

describe('a home that is meddled with', () => {
  it('gets its host file and token back, and a host whose home is gone ends', async () => {
    const { pid, instance } = await place.json(['up']);
    for (const name of ['host.json', 'token']) {
      rmSync(path.join(place.home, name));
      expect(await place.json(['up'])).toMatchObject({ pid, instance });
    }
    rmSync(place.home, { recursive: true });
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 30_000 });
    expect((await place.json(['up'])).instance).not.toBe(instance);
  });
});

describe('a host that hangs', () => {
  it('is said to, with the one way out; the next host goes on', async () => {
    const { pid } = await place.json(['up']);
    process.kill(pid, 'SIGSTOP');
    const failed = await failure(['tasks']);
    expect(failed).toMatchObject({ exit: 6, field: 'host', remedy: expect.stringContaining(`kill -9 ${pid}`) });
    process.kill(pid, 'SIGKILL');
    expect(await place.json(['tasks'])).toMatchObject({ tasks: [] });
    expect(isAlive(pid)).toBe(false);
  });
});
