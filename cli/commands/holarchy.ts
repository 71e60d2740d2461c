// Commands about the holarchy as a whole: show, diff, apply.
import * as z from 'zod';
import { EXIT } from '#shared/contracts/errors.ts';
import { HolarchyFile } from '#shared/contracts/holon.ts';
import type { App } from '../app.ts';
import { type CommandSpec, type Given, readOptions } from '../define.ts';
import { differenceLines } from '../differences.ts';
import { readAs } from '../holarchy-file.ts';
import { DIFFERS } from '../topics.ts';

const FILE_ARG = { name: '<file>', text: 'YAML or JSON with policy and holons' } as const;

export const holarchyShow: CommandSpec = {
  name: 'holarchy show',
  args: [],
  summary: 'the holarchy in force, as a file that can be edited and applied',
  options: [],
  examples: ['hca holarchy show > holarchy.json'],
  run: async (app) => {
    app.document(await (await app.door()).call('_hca/holarchy/show', {}));
    return EXIT.accepted;
  },
};

export const holarchyDiff: CommandSpec = {
  name: 'holarchy diff',
  args: [FILE_ARG],
  summary: 'check a holarchy file and show what it would change; exit code 1 when it would change something',
  options: [],
  examples: ['hca holarchy diff mine.yaml', 'hca holarchy diff mine.yaml --json'],
  run: async (app, given) => {
    const answer = await (await app.door()).call('_hca/holarchy/diff', { file: fileOf(app, given) });
    app.answer(answer, () => [
      ...linesOf(app, answer),
      ...(answer.changes.length === 0 ? ['It would change nothing.'] : []),
    ]);
    return answer.changes.length === 0 ? EXIT.accepted : DIFFERS;
  },
};

export const holarchyApply: CommandSpec = {
  name: 'holarchy apply',
  args: [FILE_ARG],
  summary: 'check a holarchy file, show what changes, and put it in force',
  options: [{ flags: '--force', text: 'also when a holon that is not in the file has open tasks; they end as lost' }],
  examples: ['hca holarchy apply hca.config.yaml', 'hca holarchy apply mine.yaml --force'],
  run: async (app, given) => {
    const { force } = readOptions(z.object({ force: z.boolean().default(false) }), given);
    const answer = await (await app.door()).call('_hca/holarchy/apply', { file: fileOf(app, given), force });
    const how = answer.applied ? 'in force' : 'in force already, nothing was changed';
    app.answer(answer, () => [...linesOf(app, answer), `${answer.holons} holons below ${answer.root}: ${how}`]);
    return EXIT.accepted;
  },
};

const fileOf = (app: App, given: Given): HolarchyFile =>
  readAs(HolarchyFile, { file: given.args[0] ?? '', cwd: app.cwd, top: '' });

type Compared = Parameters<typeof differenceLines>[0];

const linesOf = (
  { screen }: App,
  { changes, open }: { changes: Compared; open: readonly { holon: string; open: number }[] },
): string[] => [
  ...differenceLines(changes, screen),
  ...open.map(({ holon, open: count }) =>
    screen.paint('yellow', `! ${holon} has ${count} open ${count === 1 ? 'task' : 'tasks'}`),
  ),
];
