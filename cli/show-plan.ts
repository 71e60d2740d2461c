// A plan as a person reads it: before the work as a dry run, during the work in a few lines.
import type { CostEstimate, PlanPreview, TaskView } from '#shared/contracts/acp-task.ts';
import { plain, type Screen } from './screen.ts';

/** What would be done. */
export const previewLines = (plan: PlanPreview, screen: Screen): string[] => [
  plan.ok ? 'This would be planned; nothing was started.' : screen.paint('red', 'This goal would be rejected.'),
  ...(plan.ok ? [] : [`  ${plain(plan.reason)}`]),
  ...row(screen, 'Family', plan.family === null ? [] : [plan.family]),
  ...row(screen, 'Clauses of the goal', plan.clauses),
  ...row(screen, 'Not covered', plan.uncovered),
  ...row(screen, 'Holons', plan.route.length === 0 ? [] : [plan.route.join(' → ')]),
  ...row(
    screen,
    'Criteria',
    plan.criteria.map((criterion) => `${criterion.level.padEnd(6)} ${criterion.text}`),
  ),
  ...row(
    screen,
    'Alternatives, weakest first',
    plan.alternatives.map((name, at) => `${at + 1}. ${name}`),
  ),
  ...row(screen, 'Cost in the cloud', plan.estimate === null ? [] : costLines(plan.estimate)),
];

/** Models and sandboxes are paid for by their own prices. */
const costLines = (estimate: CostEstimate): string[] => {
  const { leaves, coordinators, usd_micros, usd_micros_revision, rates_of } = estimate;
  const holons = `${leaves} at work, ${coordinators} coordinating, each reviewed`;
  return [
    `$${(usd_micros / 1e6).toFixed(6)} (${holons}), $${(usd_micros_revision / 1e6).toFixed(6)} for each further attempt`,
    `prices of ${rates_of}, without models and sandboxes; on one machine: nothing`,
  ];
};

const row = (screen: Screen, title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [screen.paint('bold', title), ...lines.map((line) => `  ${plain(line)}`)];

/** The plan of a running task: its family and what it will be measured by. */
export const planLines = (view: TaskView): string[] => {
  const many = view.criteria.length;
  if (many === 0) return [];
  return [
    `plan: ${view.family ?? 'several families'}, measured by ${many} ${many === 1 ? 'criterion' : 'criteria'}:`,
    ...view.criteria.map((row) => `  ${row.level.padEnd(6)} ${plain(row.text)}`),
  ];
};
