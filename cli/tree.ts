// The tree of a task as lines: holons, how each ended, the reviews that judged it.
import type { TreeNode } from '#shared/contracts/acp-task.ts';
import { OUTCOME_COLOUR } from './format.ts';
import { type Colour, cut, plain, type Screen } from './screen.ts';

/** One line per task and review, joined by branches. */
export const treeLines = (node: TreeNode, screen: Screen, prefix = ''): string[] => [
  `${headOf(node, screen)}${noteOf(node, screen, prefix)}`,
  ...node.children.flatMap((child, at) => branch(child, at === node.children.length - 1, screen)),
];

const branch = (child: TreeNode, isLast: boolean, screen: Screen): string[] => {
  const [first = '', ...rest] = treeLines(child, screen);
  const down = isLast ? '   ' : screen.paint('dim', '│  ');
  return [`${screen.paint('dim', isLast ? '└─ ' : '├─ ')}${first}`, ...rest.map((line) => `${down}${line}`)];
};

const RESULT_COLOUR: Readonly<Record<string, Colour>> = {
  pass: 'green',
  partial: 'yellow',
  fail: 'red',
  unable: 'red',
};

const headOf = (node: TreeNode, screen: Screen): string => {
  if (node.kind === 'review') {
    const result = node.result ?? node.state;
    return `review ${node.iteration} by ${node.holon}: ${screen.paint(RESULT_COLOUR[result] ?? 'dim', result)}`;
  }
  const attempts = node.iteration > 1 ? ` after ${node.iteration} attempts` : '';
  const word = node.outcome === 'open' ? node.state : node.outcome;
  return `${screen.paint('bold', node.holon)} ${screen.paint(OUTCOME_COLOUR[node.outcome], word)}${attempts}`;
};

const noteOf = (node: TreeNode, screen: Screen, prefix: string): string => {
  const note = plain(node.note);
  const room = Math.max(20, screen.columns - prefix.length - 50);
  return note === '' ? '' : screen.paint('dim', `  ${cut(note, room)}`);
};
