// Commands about holons: card, holon list|status|add.
import { EXIT } from '#shared/contracts/errors.ts';
import { HolonCard } from '#shared/contracts/holon.ts';
import type { CommandSpec } from '../define.ts';
import { shortId, table } from '../format.ts';
import { readAs } from '../holarchy-file.ts';

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
    const made = readAs(HolonCard, { file: given.args[0] ?? '', cwd: app.cwd, top: 'card' });
    const added = await (await app.door()).call('_hca/holon/add', { card: made });
    app.answer(added, () => [`${added.id} is registered below ${added.parent ?? 'nobody'}.`]);
    return EXIT.accepted;
  },
};
