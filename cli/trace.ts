// A trace as lines: the tree of executions, and in each the states it went through, what took how long and how often it was tried.
import type { Trace, TraceExecution, TraceNode, TraceState } from '#shared/contracts/acp-trace.ts';
import { duration, spending } from './format.ts';
import type { Colour, Screen } from './screen.ts';

/** The whole trace, its head first. */
export const traceLines = (trace: Trace, screen: Screen): string[] => [
  `Trace ${trace.trace_id}  ${trace.transitions} transitions${costOf(trace)}`,
  ...nodeLines(trace.tree, screen),
];

const costOf = ({ usd_micros: { transitions, spent } }: Trace): string => {
  const parts = [
    transitions > 0 ? `$${(transitions / 1e6).toFixed(6)} for them` : '',
    spent > 0 ? `$${(spent / 1e6).toFixed(6)} spent by tools and models` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` · ${parts.join(' · ')}`;
};

const nodeLines = (node: TraceNode, screen: Screen): string[] => {
  const attempts = node.kind === 'task' && node.iterations > 1 ? `, ${node.iterations} attempts` : '';
  const spent = node.spent === null ? '' : screen.paint('dim', `  ${spending(node.spent)}`);
  const head = `${node.kind === 'review' ? 'review by ' : ''}${screen.paint('bold', node.holon)} ${node.state}${attempts}${spent}`;
  const inner = [
    ...node.executions.map((execution) => executionLines(execution, screen)),
    ...node.children.map((child) => nodeLines(child, screen)),
  ];
  return [head, ...inner.flatMap((lines, at) => branch(lines, at === inner.length - 1, screen))];
};

const branch = ([first = '', ...rest]: string[], isLast: boolean, screen: Screen): string[] => {
  const down = isLast ? '   ' : screen.paint('dim', '│  ');
  return [`${screen.paint('dim', isLast ? '└─ ' : '├─ ')}${first}`, ...rest.map((line) => `${down}${line}`)];
};

const STATUS_COLOUR: Readonly<Record<string, Colour>> = {
  SUCCEEDED: 'green',
  RUNNING: 'cyan',
  FAILED: 'red',
  TIMED_OUT: 'red',
  ABORTED: 'yellow',
};

const executionLines = (execution: TraceExecution, screen: Screen): string[] => {
  const { name, status, started_at, ended_at, link, states } = execution;
  const took = ended_at === null ? 'running' : duration(ended_at - started_at);
  const word = screen.paint(STATUS_COLOUR[status] ?? 'dim', status);
  return [
    `${name}  ${word}  ${took}`,
    ...(link === null ? [] : [`   ${screen.paint('dim', link)}`]),
    ...states.map((state) => `   ${stateLine(state, started_at, screen)}`),
  ];
};

const stateLine = (state: TraceState, began: number, screen: Screen): string => {
  const took = state.left_at === null ? 'now' : duration(state.left_at - state.entered_at);
  const tries = state.attempts > 1 ? `  ${state.attempts} tries` : '';
  const error = state.error === null ? '' : `  ${screen.paint('yellow', state.error)}`;
  const at = screen.paint('dim', `+${duration(state.entered_at - began)}`.padStart(9));
  return `${at}  ${state.name.padEnd(11)} ${took}${tries}${error}`;
};
