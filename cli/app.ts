// What a command is given: the door (opened when first asked for), the screen, and whether a machine reads the answer.
import type { Door } from '#shared/client/door.ts';
import { connect, type Running } from './connect.ts';
import { makeScreen, type Screen } from './screen.ts';

export interface App {
  /** Absolute path of the home. */
  home: string;
  json: boolean;
  screen: Screen;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** The door of the host of this home, started when there is none. Asked again after a lost connection it finds the host anew. */
  door(): Promise<Door>;
  /** The host if one runs; starts none. */
  running(): Promise<Running | undefined>;
  /** The answer of a command: the document with --json, else its lines. */
  answer(document: unknown, lines: () => readonly string[]): void;
  /** One JSON document on stdout. */
  document(value: unknown): void;
  /** One JSON document a line. */
  record(value: unknown): void;
}

export interface AppOptions {
  home: string;
  json: boolean;
}

/** The app of this process. */
export const makeApp = ({ home, json }: AppOptions): App => {
  const out = process.stdout;
  const sink = {
    write: (text: string) => void out.write(text),
    isTTY: out.isTTY === true,
    columns: out.columns || 120,
  };
  const screen = makeScreen(sink, process.env);
  const document = (value: unknown): void => sink.write(`${JSON.stringify(value, null, 2)}\n`);
  return {
    home,
    json,
    screen,
    document,
    env: process.env,
    cwd: process.cwd(),
    door: async () => (await connect(home)).door,
    running: () => connect(home, { start: false }).catch(() => undefined),
    answer: (value, lines) => {
      if (json) document(value);
      else for (const line of lines()) screen.line(line);
    },
    record: (value) => sink.write(`${JSON.stringify(value)}\n`),
  };
};
