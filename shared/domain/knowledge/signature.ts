// The signature of a situation: what is red, by which tools, with which failures, in words that know neither folder nor wording (L3-CTL-03).
import type { CheckRun, Criterion } from '#shared/contracts/criterion.ts';
import type { Signature } from '#shared/contracts/lesson.ts';
import type { Project } from '#shared/contracts/project.ts';

/** What a signature is read from: the goal's own criteria and what they said on the untouched snapshot. */
export interface Scene {
  family: string;
  criteria: readonly Criterion[];
  project: Pick<Project, 'checks'> | null;
  baseline: readonly CheckRun[];
}

/** The same signatures this much alike name one situation: at least half of what failed, counted on both sides (Dice). */
const ALIKE = 0.5;

/** The signature. Before a baseline was run every check of the goal counts; after it only those that are red. */
export const signatureOf = ({ family, criteria, project, baseline }: Scene): Signature => {
  const goals = criteria.filter(({ goal }) => goal);
  const isRun = goals.some(({ id }) => baseline.some(({ criterion }) => criterion === id));
  const red = isRun
    ? goals.filter(({ id }) => baseline.some((run) => run.criterion === id && run.outcome !== 'pass'))
    : goals;
  const parts = red.map((criterion) => partOf(criterion, { project, baseline }));
  return {
    family,
    tools: sorted(parts.flatMap(({ tools }) => tools)).slice(0, 32),
    failures: sorted(parts.flatMap(({ failures }) => failures)).slice(0, 64),
    checks: sorted(parts.map(({ kind }) => kind)).slice(0, 16),
  };
};

/** Whether two signatures name the same situation: same family, same kinds of check, a tool in common, alike in what failed. */
export const isSameSituation = (left: Signature, right: Signature): boolean =>
  left.family === right.family &&
  left.checks.join() === right.checks.join() &&
  shareTool(left.tools, right.tools) &&
  alike(left.failures, right.failures) >= ALIKE;

/** How alike two lists of words are, 0 to 1 (Dice); two empty ones are the same. */
export const alike = (left: readonly string[], right: readonly string[]): number => {
  if (left.length + right.length === 0) return 1;
  const has = new Set(right);
  return (2 * left.filter((word) => has.has(word)).length) / (left.length + right.length);
};

const shareTool = (left: readonly string[], right: readonly string[]): boolean =>
  left.length + right.length === 0 || left.some((tool) => right.includes(tool));

type Seen = Pick<Scene, 'project' | 'baseline'>;

const partOf = (criterion: Criterion, { project, baseline }: Seen) => {
  const check = project?.checks.find(({ id }) => id === criterion.project_check);
  const kind = check?.kind ?? criterion.check.kind;
  const lines = baseline.filter((run) => run.criterion === criterion.id).flatMap(({ failures }) => failures);
  const tokens = [...new Set(lines.flatMap(failureTokens))];
  const isRun = baseline.some((run) => run.criterion === criterion.id);
  const failures = tokens.length > 0 ? tokens : [isRun ? 'fails' : ''].filter((word) => word !== '');
  return { kind, tools: check?.tools ?? [], failures: failures.map((token) => `${kind}:${token}`.slice(0, 120)) };
};

const PATH = /\S*[\w-]\.[A-Za-z]{1,5}(?=[:\s(]|$)\S*/g;

/** Words by which tools name a kind of failure, wherever it is: rule ids with slashes, codes, error classes, hyphenated rules at the end. */
const NAMES: readonly RegExp[] = [
  /(?<![\w./-])@?[a-z][\w-]*(?:\/[A-Za-z][\w-]*)+(?![\w./])/g,
  /\b[A-Z]{1,6}\d{2,5}\b/g,
  /\b[A-Z]\w*(?:Error|Exception)\b/g,
  /(?<=\s)[a-z]+(?:-[a-z]+)+$/g,
  /^format$/g,
];

/** The kinds of failure that a line names; none for a line that only tells where or how. */
export const failureTokens = (line: string): string[] => {
  const text = line
    .replace(/ \(\d+\)$/, '')
    .replaceAll(PATH, ' ')
    .trim();
  return NAMES.flatMap((name) => text.match(name) ?? []).map((token) => token.slice(0, 100));
};

const sorted = (words: readonly string[]): string[] => [...new Set(words)].sort();
