// Commands about holons and the holarchy: card, holon list|status|add, holarchy show|load.
import * as z from 'zod';
import { EXIT, HcaFault } from '#shared/contracts/errors.ts';
import { HolarchyFile, HolonCard } from '#shared/contracts/holon.ts';
import { type FileUse, readDocument } from '../criteria-file.ts';
import { type CommandSpec, readOptions } from '../define.ts';
import { shortId, table } from '../format.ts';

const FILE: FileUse = { field: 'file', remedy: 'compare it with "hca holarchy show"' };
const HOLON_ARG = { name: '<holon>', text: 'the id of a holon; see "hca holon list"' } as const;

export const card: CommandSpec = {
  name: 'card',
  args: [HOLON_ARG],
  summary: 'the Holon Card: place, families, tools, what it may do',
  options: [],
  examples: ['hca card root', 'hca card developer --json'],
  run: async (app, given) => {
    const found = await (await app.door()).call('_hca/holon/card', { holon: given.args[0] ?? '' });
    app.answer(found, () => table(Object.entries(found).map(([name, value]) => [name, cellOf(value)])));
    return EXIT.accepted;
  },
};

const cellOf = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value));

export const holonList: CommandSpec = {
  name: 'holon list',
  args: [],
  summary: 'every holon under its parent',
  options: [],
  examples: ['hca holon list'],
  run: async (app) => {
    const { holons } = await (await app.door()).call('_hca/holon/list', {});
    app.answer({ holons }, () => table(under(holons, null, '').map(holonCells)).map((line) => line.trimEnd()));
    return EXIT.accepted;
  },
};

const holonCells = ({ holon, indent }: { holon: HolonCard; indent: string }): string[] => [
  indent + holon.id,
  holon.role,
  holon.state,
  holon.families.join(', '),
];

const under = (
  holons: readonly HolonCard[],
  parent: string | null,
  indent: string,
): { holon: HolonCard; indent: string }[] =>
  holons
    .filter((holon) => holon.parent === parent)
    .flatMap((holon) => [{ holon, indent }, ...under(holons, holon.id, `${indent}  `)]);

export const holonStatus: CommandSpec = {
  name: 'holon status',
  args: [HOLON_ARG],
  summary: 'what a holon is doing now',
  options: [],
  examples: ['hca holon status developer'],
  run: async (app, given) => {
    const found = await (await app.door()).call('_hca/holon/status', { holon: given.args[0] ?? '' });
    app.answer(found, () => [
      `${found.holon} is ${found.state}, ${found.activity}: ${found.open} open of ${found.capacity}`,
      ...found.doing.map((line) => `  ${shortId(line.record)}  ${line.state}`),
    ]);
    return EXIT.accepted;
  },
};

export const holonAdd: CommandSpec = {
  name: 'holon add',
  args: [{ name: '<file>', text: 'YAML or JSON with the Holon Card' }],
  summary: 'register a holon, or replace one',
  options: [],
  examples: ['hca holon add linter.yaml'],
  run: async (app, given) => {
    const made = parsed(HolonCard, readDocument(given.args[0] ?? '', app.cwd, FILE), 'card');
    const added = await (await app.door()).call('_hca/holon/add', { card: made });
    app.answer(added, () => [`${added.id} is registered below ${added.parent ?? 'nobody'}.`]);
    return EXIT.accepted;
  },
};

export const holarchyShow: CommandSpec = {
  name: 'holarchy show',
  args: [],
  summary: 'the holarchy in force, as a file that can be edited and loaded',
  options: [],
  examples: ['hca holarchy show > holarchy.json'],
  run: async (app) => {
    app.document(await (await app.door()).call('_hca/holarchy/show', {}));
    return EXIT.accepted;
  },
};

export const holarchyLoad: CommandSpec = {
  name: 'holarchy load',
  args: [{ name: '<file>', text: 'YAML or JSON with policy and holons' }],
  summary: 'check a holarchy file and put it in force',
  options: [{ flags: '--check', text: 'only check it' }],
  examples: ['hca holarchy load hca.config.yaml', 'hca holarchy load mine.yaml --check'],
  run: async (app, given) => {
    const { check } = readOptions(z.object({ check: z.boolean().default(false) }), given);
    const file = parsed(HolarchyFile, readDocument(given.args[0] ?? '', app.cwd, FILE), '');
    const answer = await (await app.door()).call('_hca/holarchy/load', { file, check });
    const how = answer.loaded ? 'in force' : 'fine, nothing was changed';
    app.answer(answer, () => [`${answer.holons} holons below ${answer.root}: ${how}`]);
    return EXIT.accepted;
  },
};

/** Fields are named as in the file: `holons[2].parent`. */
const parsed = <T>(schema: z.ZodType<T>, value: unknown, top: string): T => {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const field = (issue?.path ?? []).reduce<string>(
    (path, key) => (typeof key === 'number' ? `${path}[${key}]` : `${path}.${String(key)}`),
    top,
  );
  throw new HcaFault('HcaBadInput', {
    message: `${field.replace(/^\./, '') || 'the file'}: ${issue?.message ?? 'not as expected'}`,
    field: field.replace(/^\./, '') || 'file',
    remedy: FILE.remedy,
  });
};
