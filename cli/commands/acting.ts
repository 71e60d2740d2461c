// Commands that act on a task: cancel, retry, apply.
import * as z from 'zod';
import type { Applied, Submitted } from '#shared/contracts/acp-task.ts';
import { EXIT } from '#shared/contracts/errors.ts';
import type { App } from '../app.ts';
import { applyElsewhere } from '../apply-elsewhere.ts';
import { makeBranch } from '../branch.ts';
import { type CommandSpec, readOptions, TASK_ARG, taskOf } from '../define.ts';
import { shortId } from '../format.ts';
import { followToTheEnd } from '../run-to-end.ts';
import { plain } from '../screen.ts';

export const cancel: CommandSpec = {
  name: 'cancel',
  args: [TASK_ARG],
  summary: 'stop a task and everything below it',
  options: [{ flags: '--cause <text>', text: 'why, for the journal' }],
  examples: ['hca cancel', 'hca cancel 7KQ2ZX --cause "wrong folder"'],
  run: async (app, given) => {
    const { cause } = readOptions(z.object({ cause: z.string().optional() }), given);
    const params = { task: taskOf(given), ...(cause === undefined ? {} : { cause }) };
    const answer = await (await app.door()).call('_hca/task/cancel', params);
    app.answer(answer, () => [`${answer.task} is ${answer.state}.`]);
    return EXIT.accepted;
  },
};

const RetryOptions = z.object({
  budget: z.string().optional(),
  retries: z.coerce
    .number('not a number')
    .int('not a whole number')
    .min(1, 'at least 1')
    .max(32, 'at most 32')
    .optional(),
  detach: z.boolean().default(false),
});

export const retry: CommandSpec = {
  name: 'retry',
  args: [TASK_ARG],
  summary: 'a successor of a task that is over, from its last artifact',
  options: [
    { flags: '-b, --budget <amounts>', text: 'a budget of its own (default: that of the old task)' },
    { flags: '-r, --retries <n>', text: 'attempts (default: as before)' },
    { flags: '-d, --detach', text: 'do not wait for the end' },
  ],
  examples: ['hca retry', 'hca retry 7KQ2ZX --budget calls=400,time=30m'],
  run: async (app, given) => {
    const { detach, ...terms } = readOptions(RetryOptions, given);
    const made = await (await app.door()).call('_hca/task/retry', { task: taskOf(given), ...terms });
    if (!app.json) app.screen.line(startedLine(made));
    if (!detach) return followToTheEnd(app, made.task);
    app.answer({ ...made, outcome: 'open', exit: EXIT.accepted }, () => [
      `It goes on by itself: hca watch ${shortId(made.task)}`,
    ]);
    return EXIT.accepted;
  },
};

const startedLine = (made: Submitted): string => {
  const from = made.started_from === null ? 'from the folder as it is now' : 'from its last artifact';
  return `Task ${made.task} continues ${made.continues ?? ''}, ${from}.`;
};

const ApplyOptions = z.object({
  check: z.boolean().default(false),
  '3way': z.boolean().default(false),
  branch: z.string().optional(),
  unaccepted: z.boolean().default(false),
});

export const apply: CommandSpec = {
  name: 'apply',
  args: [TASK_ARG],
  summary: 'write the change of a task to its folder, all or nothing',
  options: [
    { flags: '--check', text: 'only say whether it would fit' },
    { flags: '--3way', text: 'merge with what you changed since' },
    { flags: '--branch <name>', text: 'a new git branch with the change; your files stay as they are' },
    { flags: '--unaccepted', text: 'also a change that no review accepted' },
  ],
  examples: ['hca apply', 'hca apply last --check', 'hca apply last --branch hca/lint', 'hca apply 7KQ2ZX --3way'],
  run: async (app, given) => {
    const options = readOptions(ApplyOptions, given);
    const door = await app.door();
    const task = taskOf(given);
    if (options.branch !== undefined)
      return makeBranch(app, door, { task, name: options.branch, unaccepted: options.unaccepted });
    const whole = options['3way'] ? '3way' : 'write';
    const mode = options.check ? 'check' : whole;
    const asked = { task, mode, unaccepted: options.unaccepted } as const;
    const applied = app.endpoint === undefined ? undefined : await applyElsewhere(app, door, asked);
    return showApplied(app, applied ?? (await door.call('_hca/task/apply', asked)));
  },
};

/** A conflict changes nothing and is bad input: the folder is not what the change was made for. */
const showApplied = (app: App, applied: Applied): number => {
  const exit = applied.conflicts.length === 0 ? EXIT.accepted : EXIT.bad_input;
  app.answer({ ...applied, exit }, () => appliedLines(applied));
  return exit;
};

const appliedLines = (applied: Applied): string[] => {
  const done = applied.mode === 'check' ? 'would be written to' : 'written to';
  if (applied.conflicts.length === 0) {
    return [`${applied.files.length} files ${done} ${applied.workspace}`, ...applied.files.map((file) => `  ${file}`)];
  }
  return [
    'Nothing was written: these files are not what the change was made for.',
    ...applied.conflicts.map((conflict) => `  ${conflict.path}: ${plain(conflict.reason)}`),
    'Remedy: --3way merges with your edits, --branch puts the change beside them.',
  ];
};
