// Commands that look at tasks: status, tasks, watch, tree, trace, journal.
import * as z from 'zod';
import type { TaskRow, TaskView } from '#shared/contracts/acp-task.ts';
import { EXIT } from '#shared/contracts/errors.ts';
import type { Entry } from '#shared/contracts/journal.ts';
import type { App } from '../app.ts';
import { type CommandSpec, readOptions, TASK_ARG, taskOf } from '../define.ts';
import { criteriaLines, exitOf } from '../final.ts';
import { follow } from '../follow.ts';
import { amounts, moment, OUTCOME_COLOUR, shortId, spending, table } from '../format.ts';
import { entryLine } from '../progress.ts';
import { followToTheEnd } from '../run-to-end.ts';
import { cut, plain } from '../screen.ts';
import { DETACHED } from '../topics.ts';
import { traceLines } from '../trace.ts';
import { treeLines } from '../tree.ts';

const count = (most: number, standard: number) =>
  z.coerce
    .number('not a number')
    .int('not a whole number')
    .min(1, 'at least 1')
    .max(most, `at most ${most}`)
    .default(standard);

export const status: CommandSpec = {
  name: 'status',
  args: [TASK_ARG],
  summary: 'how a task stands: phase, attempt, spent, criteria, who is doing what',
  options: [],
  examples: ['hca status', 'hca status 7KQ2ZX', 'hca status last --json'],
  run: async (app, given) => {
    const view = await (await app.door()).call('_hca/task/get', { task: taskOf(given) });
    app.answer(view, () => statusLines(view, app));
    return EXIT.accepted;
  },
};

const statusLines = (view: TaskView, { screen }: App): string[] => {
  const word = view.outcome === 'open' ? view.state : view.outcome;
  return [
    `Task       ${view.task}${view.continues === null ? '' : ` (continues ${view.continues})`}`,
    `Goal       ${plain(view.goal)}`,
    `State      ${screen.paint(OUTCOME_COLOUR[view.outcome], word)}, attempt ${view.iteration} of ${view.retries}`,
    `Workspace  ${view.workspace ?? '-'}`,
    `Spent      ${spending(view.spent)}`,
    `Rest       ${amounts(view.rest)}`,
    '',
    ...treeLines(view.tree, screen),
    ...(view.criteria.length === 0 ? [] : ['', ...criteriaLines(view.criteria, screen)]),
  ];
};

const ListOptions = z.object({ limit: count(1000, 20), open: z.boolean().optional() });

export const tasks: CommandSpec = {
  name: 'tasks',
  args: [],
  summary: 'tasks, newest first',
  options: [
    { flags: '-n, --limit <n>', text: 'how many (default: 20)' },
    { flags: '--open', text: 'only those that are not over' },
  ],
  examples: ['hca tasks', 'hca tasks --open', 'hca tasks -n 100 --json'],
  run: async (app, given) => {
    const { limit, open } = readOptions(ListOptions, given);
    const page = await (await app.door()).call('_hca/task/list', { limit, ...(open === undefined ? {} : { open }) });
    app.answer(page, () => (page.tasks.length === 0 ? [NONE] : table(page.tasks.map(taskCells))));
    return EXIT.accepted;
  },
};

const NONE = 'No task yet. Start one: hca run "make lint and tests pass"';

const taskCells = (row: TaskRow): string[] => [
  shortId(row.task),
  moment(row.opened_at),
  row.outcome === 'open' ? row.state : row.outcome,
  cut(plain(row.goal), 70),
];

export const watch: CommandSpec = {
  name: 'watch',
  args: [TASK_ARG],
  summary: 'everything that happened to a task, then live to its end',
  options: [],
  examples: ['hca watch', 'hca watch 7KQ2ZX', 'hca watch last --json | jq .text'],
  run: async (app, given) => {
    const { task } = await (await app.door()).call('_hca/task/watch', { task: taskOf(given) });
    return app.json ? watchRecords(app, task) : followToTheEnd(app, task);
  },
};

/** One JSON document a line: every entry, then the end. */
const watchRecords = async (app: App, task: string): Promise<number> => {
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const how = await follow(app, { task, say, entry: (entry) => app.record({ type: 'entry', ...entry }) });
  if (how === 'detached') return DETACHED;
  const { outcome, state } = await (await app.door()).call('_hca/task/get', { task });
  const exit = exitOf(outcome);
  app.record({ type: 'end', task, outcome, state, exit });
  return exit;
};

export const tree: CommandSpec = {
  name: 'tree',
  args: [TASK_ARG],
  summary: 'which holons worked on a task, and how each ended',
  options: [],
  examples: ['hca tree', 'hca tree 7KQ2ZX --json'],
  run: async (app, given) => {
    const answer = await (await app.door()).call('_hca/task/tree', { task: taskOf(given) });
    app.answer(answer.tree, () => treeLines(answer.tree, app.screen));
    return EXIT.accepted;
  },
};

export const trace: CommandSpec = {
  name: 'trace',
  args: [TASK_ARG],
  summary: 'how a task ran: its executions with states, times, attempts and costs',
  options: [],
  examples: ['hca trace', 'hca trace 7KQ2ZX', 'hca trace last --json'],
  run: async (app, given) => {
    const answer = await (await app.door()).call('_hca/task/trace', { task: taskOf(given) });
    app.answer(answer, () => traceLines(answer, app.screen));
    return EXIT.accepted;
  },
};

const JournalOptions = z.object({ limit: count(1000, 1000), cursor: z.string().default('') });

export const journal: CommandSpec = {
  name: 'journal',
  args: [TASK_ARG],
  summary: 'the journal of a task: every change of state and message',
  options: [
    { flags: '-n, --limit <n>', text: 'entries at most (default: 1000)' },
    { flags: '--cursor <cursor>', text: 'go on behind an earlier page' },
  ],
  examples: ['hca journal', 'hca journal 7KQ2ZX --json'],
  run: async (app, given) => {
    const page = readOptions(JournalOptions, given);
    const slice = await (await app.door()).call('_hca/task/journal', { task: taskOf(given), ...page });
    const began = slice.entries[0]?.at ?? 0;
    app.answer(slice, () => slice.entries.map((entry) => journalLine(entry, began, app)));
    return EXIT.accepted;
  },
};

const journalLine = (entry: Entry, began: number, { screen }: App): string => {
  const told = entry.told.map((message) => `${message.method} → ${message.to}`).join(', ');
  const from = screen.paint('dim', entry.kind === 'note' ? entry.step : `${entry.step} v${entry.version}`);
  return `${entryLine(entry, began, screen)}  ${from}${told === '' ? '' : screen.paint('dim', `  tells ${told}`)}`;
};
