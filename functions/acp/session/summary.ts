// A task in words, for the message that ends a turn and for /status.
import type { FileRow, TaskView } from '#shared/contracts/acp-task.ts';

/** How it ended, what changed, and what to do next. */
export const resultText = (view: TaskView, files: readonly FileRow[]): string =>
  [headline(view), ...reasons(view), ...fileLines(files), ...next(view, files)].join('\n');

/** How it stands. */
export const statusText = (view: TaskView): string =>
  [
    `${view.task}: ${view.outcome === 'open' ? view.state : view.outcome}, attempt ${view.iteration} of ${view.retries}`,
    `Goal: ${view.goal}`,
    `Spent: ${view.spent.calls} calls, ${view.spent.tokens} tokens of ${view.budget.calls} and ${view.budget.tokens}`,
    ...reasons(view),
    ...view.criteria.map(
      ({ text, result, reason }) => `- ${result ?? 'open'}: ${text}${reason === '' ? '' : ` (${reason})`}`,
    ),
  ].join('\n');

const HEADLINES: Readonly<Record<TaskView['outcome'], string>> = {
  open: 'It is still going on.',
  accepted: 'Accepted by its review.',
  escalated: 'Escalated: it could not be finished.',
  rejected: 'Rejected: nobody here can do this.',
  cancelled: 'Cancelled.',
};

const headline = (view: TaskView): string =>
  view.verdict === null || view.outcome !== 'accepted'
    ? HEADLINES[view.outcome]
    : `Accepted by ${view.verdict.evaluator_holon}: ${view.verdict.reason}`;

const reasons = (view: TaskView): string[] => {
  if (view.rejected !== null) return [`${view.rejected.reason}: ${view.rejected.detail}`];
  const { escalation } = view;
  if (escalation === null) return view.reservations.map((text) => `Reservation: ${text}`);
  const attempts = escalation.attempts.map(
    ({ iteration, alternative, result, reason }) => `- attempt ${iteration} (${alternative}): ${result}, ${reason}`,
  );
  return [`${escalation.reason}: ${escalation.detail}`, ...attempts];
};

const fileLines = (files: readonly FileRow[]): string[] =>
  files.slice(0, 50).map(({ path, change, added, removed }) => `- ${change} ${path} (+${added} -${removed})`);

const next = (view: TaskView, files: readonly FileRow[]): string[] => {
  if (view.outcome === 'accepted' && files.length > 0) return ['/apply writes it to the folder.'];
  return view.outcome === 'accepted' ? ['Nothing had to be changed.'] : [];
};
