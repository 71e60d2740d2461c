// Harness packages from a folder: what loads, and how a broken file is named.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesProfiles } from '#shared/adapters/local/files-profiles.ts';
import { HARNESSES } from '#test/support/code-fix.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'harnesses-'));
  cpSync(path.join(HARNESSES, 'certification'), path.join(folder, 'certification'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const edit = (file: string, change: (text: string) => string): void => {
  const full = path.join(folder, 'certification', file);
  writeFileSync(full, change(readFileSync(full, 'utf8')));
};
const load = () => filesProfiles(folder).load('certification');

describe('harness packages as files', () => {
  it('our own all load', async () => {
    const profiles = filesProfiles(HARNESSES);
    expect(await profiles.names()).toEqual(['certification', 'code-fix']);
    expect((await profiles.all()).map(({ name }) => name)).toEqual(['certification', 'code-fix']);
  });

  it('are read once, and without a catalogue have none', async () => {
    const profiles = filesProfiles(folder);
    const first = await profiles.load('certification');
    edit('harness.yaml', () => 'no longer valid');
    expect(await profiles.load('certification')).toBe(first);
    expect(first.catalogue).toBeNull();
  });

  it('an unknown name says which there are', async () => {
    await expect(filesProfiles(folder).load('nope')).rejects.toMatchObject({
      code: 'HcaNotFound',
      remedy: 'one of: certification',
    });
    await expect(filesProfiles(folder).load('../certification')).rejects.toMatchObject({ code: 'HcaNotFound' });
  });

  it('a folder that is not there is a clear fault', async () => {
    await expect(filesProfiles(path.join(folder, 'gone')).names()).rejects.toMatchObject({
      code: 'HcaUnavailable',
      field: 'harnesses',
    });
  });
});

describe('an invalid package names file and field', () => {
  const faults: [string, string, (text: string) => string, string][] = [
    ['no YAML', 'tools.yaml', () => 'a: [', 'harnesses/certification/tools.yaml: tools'],
    [
      'an unknown field',
      'tools.yaml',
      (text) => text.replace('rank: 1', 'rang: 1'),
      'harnesses/certification/tools.yaml: tools.0',
    ],
    [
      'a wrong value',
      'profile.yaml',
      (text) => text.replace('concurrency: 4', 'concurrency: 0'),
      'profile.yaml: profile.parallelism.concurrency',
    ],
    [
      'a missing section',
      'profile.yaml',
      (text) => text.replace(/^clarification.*$/m, ''),
      'profile.yaml: profile.clarification',
    ],
    [
      'another name than its folder',
      'harness.yaml',
      (text) => text.replace('name: certification', 'name: other'),
      'harness.yaml: name: it must be "certification"',
    ],
    [
      'a tool for no family',
      'tools.yaml',
      (text) => text.replace('families: [certify-accept]', 'families: [certify-nothing]'),
      'tools.yaml: tools.accept.families',
    ],
    [
      'a rule that is not there',
      'families.yaml',
      (text) => text.replace('certify accept =>', 'certify <what> =>'),
      'families.certify-accept.grammar.clause: there is no rule <what>',
    ],
    [
      'a template that is not there',
      'families.yaml',
      (text) => text.replace('certify accept => accepted', 'certify accept => done'),
      'there is no criteria template "done"',
    ],
    [
      'a step that is neither a call nor a fix',
      'tools.yaml',
      (text) => text.replace('{ call: { tool: filesystem.write_file', '{ call: { tool: writefile'),
      'tools.yaml: tools.0.steps.0.call.tool: a tool is named server.tool',
    ],
    [
      'a list in place of the head',
      'harness.yaml',
      () => '- name',
      'harness.yaml: harness: it does not hold name, version and title',
    ],
    ['an empty file', 'families.yaml', () => '', 'families.yaml: families'],
    [
      'a name given twice',
      'criteria.yaml',
      (text) => text.replace('name: never', 'name: reviewed'),
      'criteria.yaml: criteria.reviewed: this name is there twice',
    ],
  ];
  it.each(faults)('%s', async (...[, file, change, message]) => {
    edit(file, change);
    await expect(load()).rejects.toMatchObject({ code: 'HcaBadInput', message: expect.stringContaining(message) });
  });

  it('a missing file', async () => {
    rmSync(path.join(folder, 'certification', 'readiness.yaml'));
    await expect(load()).rejects.toMatchObject({
      message: 'harnesses/certification/readiness.yaml: readiness: the file is missing',
    });
  });

  it('a file that no package has, which would count for nothing', async () => {
    writeFileSync(path.join(folder, 'certification', 'catalog.yaml'), 'tools: []');
    await expect(load()).rejects.toMatchObject({
      message: 'harnesses/certification/catalog.yaml: a package has no such file',
      remedy: expect.stringContaining('catalogue.yaml'),
    });
  });

  it('a folder in place of a file, and more than a package may have', async () => {
    const big = `# ${'x'.repeat(1024 * 1024)}`;
    edit('tools.yaml', (text) => `${text}\n${big}`);
    await expect(load()).rejects.toMatchObject({
      message: expect.stringContaining('tools.yaml: tools: it is no file of'),
    });
    rmSync(path.join(folder, 'certification', 'tools.yaml'));
    mkdirSync(path.join(folder, 'certification', 'tools.yaml'));
    await expect(load()).rejects.toMatchObject({
      message: expect.stringContaining('tools.yaml: tools: it is no file of'),
    });
  });

  it('a package that is too large as a whole', async () => {
    edit('criteria.yaml', (text) => text.replace('certified.txt says done', 'x'.repeat(300_000)));
    await expect(load()).rejects.toMatchObject({
      field: 'package',
      message: expect.stringContaining('at most 262144 are taken'),
    });
  });

  it('does not keep the others from loading', async () => {
    mkdirSync(path.join(folder, 'broken'));
    await expect(filesProfiles(folder).load('broken')).rejects.toMatchObject({ code: 'HcaBadInput' });
    expect((await load()).name).toBe('certification');
  });
});
