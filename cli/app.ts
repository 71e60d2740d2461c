// What a command is given: the door (opened when first asked for), the screen, and whether a machine reads the answer.
import { type Door, openDoor } from '#shared/client/door.ts';
import { connect, type Running } from './connect.ts';
import { remoteAddress } from './endpoint.ts';
import { makeScreen, type Screen } from './screen.ts';

export interface App {
  /** Absolute path of the home. */
  home: string;
  /** A host elsewhere, where one is meant; else the host of the home. */
  endpoint: string | undefined;
  json: boolean;
  screen: Screen;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** The door of the host elsewhere, or of the host of this home, which is started when there is none. Asked again after a lost connection it finds the host anew. */
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
  endpoint?: string | undefined;
  json: boolean;
}

/** The app of this process. */
export const makeApp = ({ home, endpoint, json }: AppOptions): App => {
  const out = process.stdout;
  const sink = {
    write: (text: string) => void out.write(text),
    isTTY: out.isTTY === true,
    columns: out.columns || 120,
  };
  const screen = makeScreen(sink, process.env);
  const document = (value: unknown): void => sink.write(`${JSON.stringify(value, null, 2)}\n`);
  const remote = (given: string): Door => openDoor(remoteAddress({ home, env: process.env }, given));
  return {
    home,
    endpoint,
    json,
    screen,
    document,
    env: process.env,
    cwd: process.cwd(),
    door: async () => (endpoint === undefined ? (await connect(home)).door : remote(endpoint)),
    running: async () =>
      endpoint === undefined ? connect(home, { start: false }).catch(() => undefined) : asked(remote(endpoint)),
    answer: (value, lines) => {
      if (json) document(value);
      else for (const line of lines()) screen.line(line);
    },
    record: (value) => sink.write(`${JSON.stringify(value)}\n`),
  };
};

/** A host elsewhere is either there or it is a fault. */
const asked = async (door: Door): Promise<Running> => ({ door, pong: await door.call('_hca/ping', {}) });
