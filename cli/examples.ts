// The main job on copies of the example workspaces, in a home of its own: a change that needs two attempts, one that needs one attempt less
// because of what the first taught, and one that goes up to the root.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import * as z from 'zod';
import { EXIT } from '#shared/contracts/errors.ts';
import { type App, makeApp } from './app.ts';
import { gone } from './connect.ts';
import { exitOf } from './final.ts';
import { duration } from './format.ts';
import { type Learned, learnedIn, learnedLines } from './learned.ts';
import { runProgram } from './program.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const Example = z.object({
  folder: z.string(),
  goal: z.string(),
  ends: z.enum(['accepted', 'escalated']),
  attempts: z.int(),
  learns_from: z.string().optional(),
  shows: z.string(),
});
type Example = z.infer<typeof Example>;

/** Runs them one after the other; 0 when each ended as it should. */
export const runExamples = async (): Promise<number> => {
  const began = performance.now();
  const top = mkdtempSync(path.join(os.tmpdir(), 'hca-start-'));
  const app = makeApp({ home: path.join(top, 'home'), json: false });
  const examples = z.array(Example).parse(parse(readFileSync(path.join(ROOT, 'examples', 'workspaces.yaml'), 'utf8')));
  const wrong: string[] = [];
  const learned = new Map<string, Learned>();
  for (const [at, example] of examples.entries()) {
    heading(app, `${at + 1} of ${examples.length}: ${example.shows}`);
    const exit = await runProgram(['run', example.goal, '--workspace', copyOf(example, top), '--home', app.home]);
    const seen = await learnedIn(app);
    learned.set(example.folder, seen);
    for (const line of learnedLines(seen)) app.screen.line(line);
    wrong.push(...missed(example, { exit, seen, teacher: learned.get(example.learns_from ?? '') }));
  }
  await endHost(app);
  closing(app, wrong, performance.now() - began);
  return wrong.length === 0 ? EXIT.accepted : EXIT.internal;
};

/** What did not come out as the example says. */
const missed = (example: Example, ran: { exit: number; seen: Learned; teacher: Learned | undefined }): string[] => {
  const { folder, ends, attempts, learns_from } = example;
  const taught = ran.teacher?.lesson ?? null;
  const checks: [boolean, string][] = [
    [ran.exit === exitOf(ends), `${folder} ended with ${ran.exit}, not ${exitOf(ends)}`],
    [ran.seen.attempts === attempts, `${folder} needed ${ran.seen.attempts} attempts, not ${attempts}`],
    [
      learns_from === undefined || ran.seen.because.some(({ lesson }) => lesson === taught),
      `${folder} does not cite the lesson of ${learns_from ?? ''}`,
    ],
  ];
  return checks.flatMap(([holds, text]) => (holds ? [] : [text]));
};

/** A copy that finds its tools where hca's own are installed, so that nothing has to be downloaded. */
const copyOf = ({ folder }: Example, top: string): string => {
  const copy = path.join(top, 'workspaces', folder);
  const installed = path.join(ROOT, 'node_modules');
  const linked = path.join(copy, 'node_modules');
  cpSync(path.join(ROOT, 'examples', 'workspaces', folder), copy, { recursive: true });
  mkdirSync(linked);
  for (const name of readdirSync(installed)) symlinkSync(path.join(installed, name), path.join(linked, name));
  return copy;
};

const heading = ({ screen }: App, text: string): void => {
  screen.line();
  screen.line(screen.paint('bold', `━━ ${text}`));
  screen.line();
};

const endHost = async (app: App): Promise<void> => {
  const running = await app.running();
  if (running === undefined) return;
  const { pid } = await running.door.call('_hca/down', {});
  await gone(pid);
};

const closing = (app: App, wrong: readonly string[], took: number): void => {
  const { screen } = app;
  heading(app, wrong.length === 0 ? `All ended as they should, in ${duration(took)}.` : wrong.join('; '));
  screen.line(`Look closer:       npx hca tasks --home ${app.home}`);
  screen.line(`                   npx hca journal last --home ${app.home}`);
  screen.line(`What was learned:  npx hca lessons list --home ${app.home}`);
  screen.line('On your own code:  npm start -- "make lint and tests pass" --workspace ../your-project');
};
