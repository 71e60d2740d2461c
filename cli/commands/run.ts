// `hca run`: gives a goal and a folder to the root holon and follows it to its end.
import { text } from 'node:stream/consumers';
import { ulid } from 'ulid';
import * as z from 'zod';
import type { Door } from '#shared/client/door.ts';
import type { ParamsIn } from '#shared/contracts/acp.ts';
import type { Submitted } from '#shared/contracts/acp-task.ts';
import { EXIT, isFault } from '#shared/contracts/errors.ts';
import type { App } from '../app.ts';
import { readCriteria } from '../criteria-file.ts';
import { type CommandSpec, readOptions } from '../define.ts';
import { amounts, shortId } from '../format.ts';
import { followToTheEnd } from '../run-to-end.ts';
import { plain } from '../screen.ts';
import { previewLines } from '../show-plan.ts';
import { workspaceOf } from '../where.ts';

const Options = z.object({
  /** An empty word is most often an unset variable of a script, and never meant the folder one is in. */
  workspace: z.string().min(1, 'the folder is empty').default('.'),
  retries: z.coerce
    .number('not a number')
    .int('not a whole number')
    .min(1, 'at least 1')
    .max(32, 'at most 32')
    .default(3),
  budget: z.string().optional(),
  criteria: z.string().optional(),
  onHost: z.boolean().default(false),
  git: z.string().optional(),
  ref: z.string().optional(),
  credential: z.string().optional(),
  dryRun: z.boolean().default(false),
  estimate: z.boolean().default(false),
  detach: z.boolean().default(false),
});

export const run: CommandSpec = {
  name: 'run',
  args: [{ name: '<goal>', text: 'what should be true afterwards; "-" reads it from stdin' }],
  summary: 'give a goal and a folder, get a reviewed change',
  options: [
    { flags: '-w, --workspace <folder>', text: 'the folder to work on (default: this one); it is only read' },
    { flags: '--on-host', text: 'the folder is one of the host’s own (with --endpoint)' },
    { flags: '--git <url>', text: 'work on what a git server has, instead of a folder' },
    { flags: '--ref <name>', text: 'its branch, tag or commit (default: HEAD)' },
    { flags: '--credential <name>', text: 'the host’s secret of this name is shown to the git server' },
    { flags: '-r, --retries <n>', text: 'attempts before it goes up (default: 3)' },
    { flags: '-b, --budget <amounts>', text: 'usd=1,tokens=200000,calls=100,time=15m' },
    { flags: '-c, --criteria <file>', text: 'more that must hold; see "hca help criteria"' },
    { flags: '--dry-run', text: 'show the plan and what it would cost in the cloud, start nothing' },
    { flags: '--estimate', text: 'the same, for its cost' },
    { flags: '-d, --detach', text: 'do not wait for the end' },
  ],
  examples: [
    'hca run "make lint and tests pass"',
    'hca run "fix the lint errors" --workspace ../shop --retries 5',
    'hca run "make the tests pass" --budget calls=50,time=5m --json',
    'hca run - --criteria done.yaml < goal.txt',
    'hca run "make lint pass" --git https://git.example.org/team/shop.git --ref main --endpoint wss://hca.example.org/acp',
  ],
  run: async (app, given) => {
    const options = readOptions(Options, given);
    const word = given.args[0] ?? '';
    const { workspace, skipped } = await workspaceOf(app, options);
    const asked = {
      goal: word === '-' ? await text(process.stdin) : word,
      workspace,
      criteria: options.criteria === undefined ? [] : readCriteria(options.criteria, app.cwd),
    };
    if (options.dryRun || options.estimate) return dryRun(app, asked);
    const { retries, budget } = options;
    const made = await submit(app, { ...asked, retries, ...(budget === undefined ? {} : { budget }) });
    const task = announced(app, asked.goal, { ...made, skipped: made.skipped + skipped });
    return options.detach ? detach(app, task) : followToTheEnd(app, task.task);
  },
};

const dryRun = async (app: App, asked: ParamsIn<'_hca/task/plan'>): Promise<number> => {
  const door = await app.door();
  const plan = await door.call('_hca/task/plan', asked);
  const exit = plan.ok ? EXIT.accepted : EXIT.rejected;
  app.answer({ dry_run: true, exit, ...plan }, () => previewLines(plan, app.screen));
  return exit;
};

/** The id is ours: when the answer is lost on the way, the same request again is the same task. */
const submit = async (app: App, asked: ParamsIn<'_hca/task/submit'>): Promise<Submitted> => {
  const params = { ...asked, id: ulid() };
  const send = (door: Door): Promise<Submitted> => door.call('_hca/task/submit', params);
  try {
    return await send(await app.door());
  } catch (error) {
    if (!isFault(error) || error.code !== 'HcaUnavailable') throw error;
    return send(await app.door());
  }
};

const announced = (app: App, goal: string, task: Submitted): Submitted => {
  const bold = (text: string): string => app.screen.paint('bold', text.padEnd(10));
  const lines = [
    `${bold('Task')} ${task.task}  (hca watch ${shortId(task.task)})`,
    `${bold('Goal')} ${plain(goal)}`,
    `${bold('Workspace')} ${task.workspace} (only read; ${task.skipped} paths left out of the snapshot)`,
    `${bold('Budget')} ${amounts(task.budget)}`,
  ];
  for (const line of app.json ? [] : lines) app.screen.line(line);
  return task;
};

const detach = (app: App, task: Submitted): number => {
  app.answer({ ...task, outcome: 'open', exit: EXIT.accepted }, () => [
    `It goes on by itself: hca watch ${shortId(task.task)}`,
  ]);
  return EXIT.accepted;
};
