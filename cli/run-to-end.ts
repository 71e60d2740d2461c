// Follows a task and shows the final picture: the same for `run`, `watch`, `retry` and `npm start`.
import type { Door } from '#shared/client/door.ts';
import type { TaskView } from '#shared/contracts/acp-task.ts';
import type { Entry } from '#shared/contracts/journal.ts';
import type { App } from './app.ts';
import { type Ending, endingDocument, endingLines, endingOf, exitOf } from './final.ts';
import { follow } from './follow.ts';
import { type Progress, showProgress } from './progress.ts';
import { planLines } from './show-plan.ts';
import { DETACHED } from './topics.ts';

/** How often the ledger is asked while something happens, in ms. */
const ASK_MS = 500;

/** Exit code of the task's outcome, or `DETACHED`. With `--json` one document at the end. */
export const followToTheEnd = async (app: App, task: string): Promise<number> => {
  const ending = await watchToTheEnd(app, task);
  if (ending === undefined) return leave(app, task);
  app.answer(endingDocument(ending), () => endingLines(ending, app.screen));
  return exitOf(ending.view.outcome);
};

/** The ending, or undefined when the person left before it. */
export const watchToTheEnd = async (app: App, task: string): Promise<Ending | undefined> => {
  const progress = app.json ? undefined : showProgress(app.screen);
  const say = (text: string): void => {
    if (app.json) process.stderr.write(`${text}\n`);
    else app.screen.line(text);
  };
  try {
    const show = progress === undefined ? () => undefined : shower(app, task, progress);
    const how = await follow(app, { task, say, entry: show });
    return how === 'over' ? await endingOf(await app.door(), task) : undefined;
  } finally {
    progress?.stop();
  }
};

/** Shows each entry, the plan right behind the one that made it, and now and then what is spent. */
const shower = (app: App, task: string, progress: Progress): ((entry: Entry, door: Door) => Promise<void>) => {
  let asked = 0;
  let isPlanned = false;
  return async (entry, door) => {
    progress.entry(entry);
    const isPlan = !isPlanned && entry.record === task && entry.step === 'plan';
    isPlanned ||= isPlan;
    const isTime = app.screen.isLive && Date.now() - asked > ASK_MS;
    if (!isPlan && !isTime) return;
    const view = await door.call('_hca/task/get', { task });
    asked = Date.now();
    progress.view(view);
    if (isPlan) showPlan(app, view);
  };
};

const showPlan = (app: App, view: TaskView): void => {
  for (const line of planLines(view)) app.screen.line(app.screen.paint('cyan', `           ${line}`));
};

const leave = (app: App, task: string): number => {
  app.answer({ task, outcome: 'open', exit: DETACHED }, () => [
    `Detached. The task goes on: hca watch ${task} · hca cancel ${task}`,
  ]);
  return DETACHED;
};
