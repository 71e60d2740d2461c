// Live progress a person can follow: one line for each thing that happened, and at the bottom who is doing what now.
import type { TaskView } from '#shared/contracts/acp-task.ts';
import type { Entry } from '#shared/contracts/journal.ts';
import { duration, spending } from './format.ts';
import { type Colour, cut, plain, type Screen } from './screen.ts';

export interface Progress {
  entry(entry: Entry): void;
  /** What is known of the task as a whole, for the bottom line. */
  view(view: TaskView): void;
  stop(): void;
}

/** How often the bottom line is drawn anew, in ms: quick enough to look alive, slow enough to cost nothing. */
const DRAW_MS = 120;
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const OVER = new Set(['completed', 'escalated', 'rejected', 'cancelled', 'told', 'done', 'failed']);

/** Progress on a screen; away from a terminal only the lines are written. */
export const showProgress = (screen: Screen): Progress => {
  const live = new Map<string, Entry>();
  let began = 0;
  let spent = '';
  let turn = 0;
  const draw = (): void => {
    turn += 1;
    const doing = [...live.values()].filter((entry) => entry.kind !== 'delegation').at(-1);
    const spinner = SPINNER[turn % SPINNER.length] ?? '';
    screen.status(doing === undefined ? undefined : `  ${spinner} ${doingText(doing, began, spent)}`);
  };
  const timer = screen.isLive ? setInterval(draw, DRAW_MS) : undefined;
  return {
    entry: (entry) => {
      if (began === 0) began = entry.at;
      note(live, entry);
      if (isTold(entry)) screen.line(entryLine(entry, began, screen));
    },
    view: (view) => {
      spent = spending(view.spent);
    },
    stop: () => {
      clearInterval(timer);
      screen.status();
    },
  };
};

const doingText = (doing: Entry, began: number, spent: string): string => {
  const what = `${doing.holon} ${doing.state}${attemptOf(doing)}`;
  const parts = [what, plain(doing.text), duration(Date.now() - began), spent];
  return parts.filter((part) => part !== '').join(' · ');
};

/** Who is at work: newest last, what is over left out. */
const note = (live: Map<string, Entry>, entry: Entry): void => {
  if (entry.kind === 'note') return;
  live.delete(entry.record);
  if (!OVER.has(entry.state)) live.set(entry.record, entry);
};

/** Notes are about messages: only what the person asked for is worth a line. */
const isTold = (entry: Entry): boolean => entry.kind !== 'note' || entry.step === 'acp';

const STATE_COLOUR: Readonly<Record<string, Colour>> = {
  completed: 'green',
  accepting: 'green',
  revising: 'yellow',
  escalating: 'yellow',
  escalated: 'yellow',
  rejected: 'red',
  cancelled: 'red',
  failed: 'red',
};

/** Off a terminal lines may be long, but not paragraphs: the whole text is in `hca journal --json`. */
const PLAIN_WIDTH = 160;

/** `  +1.2 s  developer    working   attempt 2  what it did`. */
export const entryLine = (entry: Entry, began: number, screen: Screen): string => {
  const state = entry.state.padEnd(11);
  const colour = STATE_COLOUR[entry.state];
  const left = [
    screen.paint('dim', `+${duration(entry.at - began)}`.padStart(9)),
    screen.paint('bold', entry.holon.padEnd(12)),
    colour === undefined ? state : screen.paint(colour, state),
  ];
  const text = cut(plain(entry.text), screen.isLive ? Math.max(30, screen.columns - 50) : PLAIN_WIDTH);
  return `${left.join('  ')}${attemptOf(entry).padEnd(12)}${text}`.trimEnd();
};

const attemptOf = (entry: Entry): string =>
  entry.iteration > 0 && entry.kind === 'task' ? ` attempt ${entry.iteration}` : '';
