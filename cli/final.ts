// The final picture: how it ended, who did what, what was checked, what changed, and what to do next.
import type { Door } from '#shared/client/door.ts';
import type { CriterionRow, FileRow, TaskOutcome, TaskView, TreeNode } from '#shared/contracts/acp-task.ts';
import type { ArtifactMeta } from '#shared/contracts/artifact.ts';
import { EXIT } from '#shared/contracts/errors.ts';
import { duration, OUTCOME_COLOUR, spending, table } from './format.ts';
import { type Colour, cut, plain, type Screen } from './screen.ts';
import { treeLines } from './tree.ts';

/** Everything one wants to know of a task that is over. */
export interface Ending {
  view: TaskView;
  files: FileRow[];
  artifacts: ArtifactMeta[];
}

/** Asks for it. */
export const endingOf = async (door: Door, task: string): Promise<Ending> => {
  const [view, diff, list] = await Promise.all([
    door.call('_hca/task/get', { task }),
    door.call('_hca/task/diff', { task }),
    door.call('_hca/artifact/list', { task }),
  ]);
  return { view, files: diff.files, artifacts: list.artifacts };
};

/** Exit code of an outcome; a task that is still open is no failure. */
export const exitOf = (outcome: TaskOutcome): number => (outcome === 'open' ? EXIT.accepted : EXIT[outcome]);

/** The stable document of `hca run --json`. */
export const endingDocument = ({ view, files, artifacts }: Ending) => ({
  task: view.task,
  outcome: view.outcome,
  exit: exitOf(view.outcome),
  goal: view.goal,
  workspace: view.workspace,
  family: view.family,
  iteration: view.iteration,
  continues: view.continues,
  rejected: view.rejected,
  verdict: view.verdict,
  reservations: view.reservations,
  escalation: view.escalation,
  files,
  artifacts,
  budget: view.budget,
  spent: view.spent,
  opened_at: view.opened_at,
  ended_at: view.ended_at,
  tree: view.tree,
});

/** The picture for a person. */
export const endingLines = ({ view, files }: Ending, screen: Screen): string[] => [
  '',
  headline(view, screen),
  ...reasons(view).map((line) => `  ${line}`),
  ...section(screen, 'Who did what', treeLines(view.tree, screen)),
  ...section(screen, 'Criteria', criteriaLines(view.criteria, screen)),
  ...section(screen, 'Changed (in the artifact; your folder is untouched)', fileLines(files, screen)),
  ...section(screen, 'Next', nextSteps(view, files)),
];

const headline = (view: TaskView, screen: Screen): string => {
  const took = duration((view.ended_at ?? Date.now()) - view.opened_at);
  const word = screen.paint(OUTCOME_COLOUR[view.outcome], view.outcome.toUpperCase());
  return `${screen.paint('bold', word)} in ${took}, spent ${spending(view.spent)}`;
};

const reasons = (view: TaskView): string[] => {
  if (view.rejected !== null) return [`${view.rejected.reason}: ${plain(view.rejected.detail)}`];
  if (view.escalation !== null) {
    return [...causes(view.tree).map((text) => cut(text, 300)), ...attemptLines(view)];
  }
  return view.reservations.map((text) => `reservation: ${plain(text)}`);
};

/** Where it really failed: the deepest holons that gave up, not those that only passed it on. */
const causes = (node: TreeNode): string[] => {
  const below = node.children.flatMap(causes);
  const gaveUp = node.kind === 'task' && (node.outcome === 'escalated' || node.outcome === 'rejected');
  return gaveUp && below.length === 0 ? [`${node.holon}: ${plain(node.note)}`] : below;
};

const attemptLines = (view: TaskView): string[] =>
  (view.escalation?.attempts ?? []).map(
    (attempt) => `attempt ${attempt.iteration} (${attempt.alternative}): ${attempt.result}, ${plain(attempt.reason)}`,
  );

const section = (screen: Screen, title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', screen.paint('bold', title), ...lines.map((line) => `  ${line}`)];

const MARKS: Readonly<Record<string, { mark: string; colour: Colour }>> = {
  met: { mark: '✓', colour: 'green' },
  unmet: { mark: '✗', colour: 'red' },
  flaky: { mark: '~', colour: 'yellow' },
};

/** A table of the criteria: met or not, must or should, what was asked, what was found. */
export const criteriaLines = (rows: readonly CriterionRow[], screen: Screen): string[] => {
  const cells = rows.map((row) => [row.level, plain(row.text), foundOf(row)]);
  return table(cells).map((line, at) => {
    const { mark, colour } = MARKS[rows[at]?.result ?? ''] ?? { mark: '·', colour: 'dim' as const };
    return `${screen.paint(colour, mark)} ${line}`.trimEnd();
  });
};

const foundOf = (row: CriterionRow): string => {
  const before = row.red_before > 0 ? ` (${row.red_before} were red before)` : '';
  if (row.result === null) return '';
  return row.result === 'met' ? `met${before}` : `${row.result}: ${plain(row.reason)}${before}`;
};

const LETTER = { added: 'A', modified: 'M', deleted: 'D' } as const;

/** `M src/a.ts +3 -1`. */
export const fileLines = (files: readonly FileRow[], screen: Screen): string[] =>
  table(
    files.map((file) => [LETTER[file.change], file.path, file.binary ? 'binary' : `+${file.added} -${file.removed}`]),
  ).map((line, at) => screen.paint(files[at]?.change === 'deleted' ? 'red' : 'green', line));

const nextSteps = (view: TaskView, files: readonly FileRow[]): string[] => {
  const change = files.length > 0 ? ['hca diff last        see the change'] : [];
  if (view.outcome === 'accepted')
    return files.length > 0 ? [...change, 'hca apply last       write it to your folder'] : [];
  if (view.outcome === 'escalated') {
    return [
      ...change,
      'hca escalation last  every attempt with its evidence',
      'hca retry last       go on from where it stopped',
    ];
  }
  return [];
};
