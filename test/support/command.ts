// The command as a person runs it: a process of its own, with a home of its own that is ended and removed afterwards.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Ran {
  exit: number | null;
  out: string;
  err: string;
}

export interface CommandOptions {
  input?: string;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

/** A folder with a home in it. */
export const makePlace = () => {
  const top = mkdtempSync(path.join(os.tmpdir(), 'hca-e2e-'));
  const home = path.join(top, 'home');
  const start = (args: string[], options: CommandOptions = {}): ChildProcessWithoutNullStreams =>
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path.join(ROOT, 'cli/main.ts'), ...args], {
      cwd: options.cwd ?? top,
      env: { ...process.env, NO_COLOR: '1', HCA_HOME: home, HCA_IDLE_MINUTES: '5', ...options.env },
    });
  const hca = (args: string[], options: CommandOptions = {}): Promise<Ran> => {
    const child = start(args, options);
    child.stdin.end(options.input ?? '');
    return ended(child);
  };
  return {
    top,
    home,
    start,
    hca,
    json: async (args: string[]) => JSON.parse((await hca([...args, '--json'])).out),
    hostFile: () => JSON.parse(readFileSync(path.join(home, 'host.json'), 'utf8')),
    close: async () => {
      if (existsSync(path.join(home, 'host.json'))) await hca(['down']);
      rmSync(top, { recursive: true, force: true });
    },
  };
};

export type Place = ReturnType<typeof makePlace>;

/** Collects what a process says until it ends. */
export const ended = (child: ChildProcessWithoutNullStreams): Promise<Ran> =>
  new Promise((resolve) => {
    let out = '';
    let err = '';
    child.stdout.on('data', (text) => {
      out += String(text);
    });
    child.stderr.on('data', (text) => {
      err += String(text);
    });
    child.on('close', (exit) => resolve({ exit, out, err }));
  });

/** Resolves when a process has written a text. */
export const says = (child: ChildProcessWithoutNullStreams, text: string): Promise<void> =>
  new Promise((resolve) => {
    let seen = '';
    child.stdout.on('data', (piece) => {
      seen += String(piece);
      if (seen.includes(text)) resolve();
    });
  });

/** A small project whose linter complains about something that its safe fixes repair. `test`: a test file beside it. */
export const makeProject = (top: string, name = 'project', test?: string): string => {
  const folder = path.join(top, name);
  mkdirSync(path.join(folder, 'node_modules'), { recursive: true });
  const put = (file: string, text: string) => writeFileSync(path.join(folder, file), text);
  const scripts = { lint: 'biome check sum.js', ...(test === undefined ? {} : { test: 'node --test' }) };
  const manifest = { name, private: true, type: 'module', scripts, devDependencies: { '@biomejs/biome': '2.6.8' } };
  put('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  put('biome.json', '{\n  "formatter": { "indentStyle": "space" }\n}\n');
  put('sum.js', 'export function sum(a,b){ return a+b }\n');
  if (test !== undefined) put('sum.test.js', test);
  const installed = path.join(ROOT, 'node_modules');
  for (const entry of readdirSync(installed)) {
    symlinkSync(path.join(installed, entry), path.join(folder, 'node_modules', entry));
  }
  return folder;
};
