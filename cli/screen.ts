// Where the command writes: plain lines, colours only on a terminal (NO_COLOR is respected), one line at the bottom that is rewritten.

/** Anything one can write text to, and what it is. */
export interface Sink {
  write(text: string): void;
  isTTY: boolean;
  columns: number;
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 } as const;
export type Colour = keyof typeof CODES;

export interface Screen {
  /** True on a terminal: progress may be drawn. */
  isLive: boolean;
  columns: number;
  line(text?: string): void;
  /** The rewritten line at the bottom, cut to the width; undefined takes it away. Does nothing when not on a terminal. */
  status(text?: string): void;
  paint(colour: Colour, text: string): string;
}

/** A screen on a sink. Colours are off when it is no terminal, NO_COLOR is set, or the terminal is dumb; FORCE_COLOR turns them on. */
export const makeScreen = (sink: Sink, env: NodeJS.ProcessEnv): Screen => {
  const isLive = sink.isTTY && env.TERM !== 'dumb';
  const isColoured = env.NO_COLOR ? false : isLive || Boolean(env.FORCE_COLOR);
  let shown = '';
  const clear = (): void => {
    if (shown !== '') sink.write('\r\u001b[2K');
    shown = '';
  };
  return {
    isLive,
    columns: sink.columns,
    line: (text = '') => {
      const bottom = shown;
      clear();
      sink.write(`${sink.isTTY ? harmless(text) : text}\n`);
      if (bottom !== '') show(bottom);
    },
    status: (text) => {
      clear();
      if (isLive && text !== undefined) show(text);
    },
    paint: (colour, text) => (isColoured ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text),
  };

  function show(text: string): void {
    shown = cut(text, sink.columns - 1);
    sink.write(shown);
  }
};

/** At most `width` characters; what is cut ends in an ellipsis. */
export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;

/** Text from outside on one line: control characters and escape sequences never reach the terminal. */
export const plain = (text: string): string => text.replace(/\s+/g, ' ').replace(UNSEEN, '').trim();

/** Control characters (escape sequences begin with one), and those that turn the direction of what follows. */
const UNSEEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Our own colours stay; nothing that a file, its name or a patch brings along can move the cursor or hide a line. */
const harmless = (text: string): string =>
  text
    .split(OWN_COLOUR)
    .map((piece, at) =>
      at % 2 === 1 ? piece : piece.replace(UNSEEN, (found) => ('\t\n'.includes(found) ? found : '')),
    )
    .join('');

const OWN_COLOUR = new RegExp(`(${String.fromCharCode(27)}\\[(?:0|${Object.values(CODES).join('|')})m)`);
