// Commands about harness packages: harness list|show|check|put|remove.
import path from 'node:path';
import * as z from 'zod';
import type { HarnessLine } from '#shared/contracts/acp-harness.ts';
import type { Difference } from '#shared/contracts/difference.ts';
import { EXIT } from '#shared/contracts/errors.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import type { App } from '../app.ts';
import { type CommandSpec, type Given, readOptions } from '../define.ts';
import { differenceLines } from '../differences.ts';
import { table } from '../format.ts';
import { writeHarness } from '../harness-files.ts';
import { plain } from '../screen.ts';

const FOLDER_ARG = {
  name: '<folder>',
  text: 'a folder with harness.yaml and its other files, named like the package',
} as const;
const NAME_ARG = { name: '<name>', text: 'the name of a package; see "hca harness list"' } as const;

export const harnessList: CommandSpec = {
  name: 'harness list',
  args: [],
  summary: 'every harness package in force: where it comes from, its families, who works with it',
  options: [],
  examples: ['hca harness list', 'hca harness list --json'],
  run: async (app) => {
    const answer = await (await app.door()).call('_hca/harness/list', {});
    app.answer(answer, () => table(answer.harnesses.map(lineCells)));
    return EXIT.accepted;
  },
};

const lineCells = ({ name, version, origin, replaces, families, holons }: HarnessLine): string[] => [
  name,
  `version ${version}`,
  origin === 'shipped' ? 'comes with hca' : ownText(replaces),
  `${families.length} ${families.length === 1 ? 'family' : 'families'}`,
  holons.length === 0 ? 'used by nobody' : `used by ${holons.join(', ')}`,
];

const ownText = (replaces: number | null): string =>
  replaces === null ? 'put here' : `put here, in place of version ${replaces}`;

export const harnessShow: CommandSpec = {
  name: 'harness show',
  args: [NAME_ARG],
  summary: 'one harness package; with --to as a folder that can be changed and put',
  options: [{ flags: '--to <folder>', text: 'write it into a new folder of its name in this folder' }],
  examples: ['hca harness show code-fix', 'hca harness show code-fix --to .', 'hca harness show code-fix --json'],
  run: async (app, given) => {
    const { to } = readOptions(z.object({ to: z.string().min(1, 'name a folder').optional() }), given);
    const answer = await (await app.door()).call('_hca/harness/show', { name: given.args[0] ?? '' });
    const folder = to === undefined ? null : writeHarness(answer.package, path.resolve(app.cwd, to));
    app.answer({ ...answer, folder }, () =>
      folder === null ? packageLines(answer.package) : [`Written to ${folder}`],
    );
    return EXIT.accepted;
  },
};

const packageLines = ({ name, version, title, families, tools, criteria }: HarnessPackage): string[] => [
  `${name}, version ${version}: ${plain(title)}`,
  ...families.flatMap((family) => [
    `  family ${family.name}: ${plain(family.title)}`,
    ...family.examples.map((example) => `      ${plain(example)}`),
  ]),
  ...tools.map((tool) => `  tool ${tool.name}, version ${tool.version}: ${plain(tool.purpose)}`),
  `  criteria ${criteria.map((one) => one.name).join(', ')}`,
];

export const harnessCheck: CommandSpec = {
  name: 'harness check',
  args: [FOLDER_ARG],
  summary: 'check a harness package and show what it would change; nothing is changed',
  options: [],
  examples: ['hca harness check ./code-fix'],
  run: async (app, given) => {
    const read = await packageOf(app, given);
    const answer = await (await app.door()).call('_hca/harness/check', { package: read });
    app.answer(answer, () => [...changeLines(app, answer), 'It is sound; nothing was changed.']);
    return EXIT.accepted;
  },
};

export const harnessPut: CommandSpec = {
  name: 'harness put',
  args: [FOLDER_ARG],
  summary: 'check a harness package, show what changes, and put it in force',
  options: [],
  examples: ['hca harness put ./code-fix'],
  run: async (app, given) => {
    const read = await packageOf(app, given);
    const answer = await (await app.door()).call('_hca/harness/put', { package: read });
    const how = answer.stored ? 'is in force' : 'is in force already, nothing was changed';
    app.answer(answer, () => [...changeLines(app, answer), `${answer.name} ${how}.`]);
    return EXIT.accepted;
  },
};

export const harnessRemove: CommandSpec = {
  name: 'harness remove',
  args: [NAME_ARG],
  summary: 'take a harness package back that was put; the one that comes with hca is in force again',
  options: [],
  examples: ['hca harness remove code-fix'],
  run: async (app, given) => {
    const answer = await (await app.door()).call('_hca/harness/remove', { name: given.args[0] ?? '' });
    const then = answer.back === null ? '' : `; version ${answer.back}, which comes with hca, is in force`;
    app.answer(answer, () => [`${answer.name} is removed${then}.`]);
    return EXIT.accepted;
  },
};

/** Loaded when it is asked for: no other command reads a package itself. */
const packageOf = async (app: App, given: Given): Promise<HarnessPackage> => {
  const { readHarnessFolder } = await import('#local/read-harness.ts');
  return readHarnessFolder(given.args[0] ?? '', app.cwd);
};

const changeLines = (
  { screen }: App,
  { name, version, was, changes }: { name: string; version: number; was: number | null; changes: Difference[] },
): string[] => [
  was === null ? `${name} is new here, version ${version}` : `${name}: version ${was} → ${version}`,
  ...differenceLines(changes, screen),
];
