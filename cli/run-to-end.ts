// Follows a task and shows the final picture: the same for `run`, `watch`, `retry` and `npm start`.
import type { Door } from '#shared/client/door.ts';
import type { TaskView } from '#shared/contracts/acp-task.ts';
import type { App } from './app.ts';
import { type Ending, endingDocument, endingLines, endingOf, exitOf } from './final.ts';
import { follow } from './follow.ts';
import { showProgress } from './progress.ts';
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
  const look = lookAt(app, task, (view) => progress?.view(view));
  try {
    const how = await follow(app, {
      task,
      entry: (entry) => progress?.entry(entry),
      ...(app.json ? {} : { page: look }),
      say: (text) => (app.json ? process.stderr.write(`${text}\n`) : app.screen.line(text)),
    });
    return how === 'over' ? await endingOf(await app.door(), task) : undefined;
  } finally {
    progress?.stop();
  }
};

/** Asks for the whole status now and then, and shows the plan as soon as there is one. */
const lookAt = (app: App, task: string, seen: (view: TaskView) => void): ((door: Door) => Promise<void>) => {
  const state = { asked: 0, isPlanShown: false };
  return async (door) => {
    if (Date.now() - state.asked < ASK_MS && state.isPlanShown) return;
    state.asked = Date.now();
    const view = await door.call('_hca/task/get', { task });
    seen(view);
    if (state.isPlanShown || view.criteria.length === 0) return;
    state.isPlanShown = true;
    for (const line of planLines(view)) app.screen.line(app.screen.paint('cyan', `           ${line}`));
  };
};

const leave = (app: App, task: string): number => {
  app.answer({ task, outcome: 'open', exit: DETACHED }, () => [
    `Detached. The task goes on: hca watch ${task} · hca cancel ${task}`,
  ]);
  return DETACHED;
};
