// Commands that show what came out: verdict, escalation, artifacts, diff.
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import * as z from 'zod';
import type { Door } from '#shared/client/door.ts';
import type { ResultOf } from '#shared/contracts/acp.ts';
import type { ArtifactMeta } from '#shared/contracts/artifact.ts';
import { EXIT } from '#shared/contracts/errors.ts';
import type { Verdict } from '#shared/contracts/verdict.ts';
import type { App } from '../app.ts';
import { type CommandSpec, readOptions, TASK_ARG, taskOf } from '../define.ts';
import { fileLines } from '../final.ts';
import { amounts, table } from '../format.ts';
import { plain } from '../screen.ts';

export const verdict: CommandSpec = {
  name: 'verdict',
  args: [TASK_ARG],
  summary: 'what the evaluators said, criterion by criterion, with evidence',
  options: [],
  examples: ['hca verdict', 'hca verdict 7KQ2ZX --json'],
  run: async (app, given) => {
    const answer = await (await app.door()).call('_hca/task/verdict', { task: taskOf(given) });
    app.answer(answer, () => (answer.reviews.length === 0 ? ['No review yet.'] : answer.reviews.flatMap(reviewLines)));
    return EXIT.accepted;
  },
};

const reviewLines = (review: ResultOf<'_hca/task/verdict'>['reviews'][number]): string[] => [
  `${review.evaluator} on attempt ${review.iteration} of ${review.producer}`,
  ...(review.verdict === null ? [review.state] : verdictLines(review.verdict)).map((line) => `  ${line}`),
];

const verdictLines = (said: Verdict): string[] => [
  `${said.result}: ${plain(said.reason)}`,
  ...table(said.criteria.map((row) => [row.result, row.level, row.criterion, plain(row.reason)])),
];

export const escalation: CommandSpec = {
  name: 'escalation',
  args: [TASK_ARG],
  summary: 'why a task went up: every attempt with its evidence',
  options: [],
  examples: ['hca escalation', 'hca escalation 7KQ2ZX --json'],
  run: async (app, given) => {
    const answer = await (await app.door()).call('_hca/task/escalation', { task: taskOf(given) });
    app.answer(answer, () => escalationLines(answer));
    return EXIT.accepted;
  },
};

const escalationLines = ({ escalation: why, attempts }: ResultOf<'_hca/task/escalation'>): string[] => {
  if (why === null && attempts.length === 0) return ['This task was not escalated.'];
  const head =
    why === null
      ? []
      : [
          `${why.reason}: ${plain(why.detail)}`,
          `unused attempts: ${why.unused_attempts}`,
          `spent: ${amounts(why.spent)}`,
        ];
  return [
    ...head,
    ...attempts.flatMap((attempt) => [
      `${attempt.holon}, attempt ${attempt.iteration} (${attempt.alternative}): ${attempt.result}, ${plain(attempt.reason)}`,
      ...attempt.unmet.map((criterion) => `    unmet: ${criterion}`),
      ...attempt.evidence.map((id) => `    evidence: ${id}`),
    ]),
  ];
};

const ArtifactOptions = z.object({
  get: z.string().optional(),
  version: z.coerce.number().int().min(1).optional(),
  out: z.string().optional(),
});

export const artifacts: CommandSpec = {
  name: 'artifacts',
  args: [TASK_ARG],
  summary: 'the versioned artifacts of a task; --get writes one out',
  options: [
    { flags: '--get <id>', text: 'the bytes of an artifact, to stdout or --out' },
    { flags: '--version <n>', text: 'a version other than the newest' },
    { flags: '-o, --out <file>', text: 'where to write it' },
  ],
  examples: [
    'hca artifacts',
    'hca artifacts --get 01J…/1/change.patch',
    'hca artifacts --get 01J…/1/change.patch -o change.patch',
  ],
  run: async (app, given) => {
    const options = readOptions(ArtifactOptions, given);
    const door = await app.door();
    if (options.get !== undefined) return writeOut(app, door, { ...options, id: options.get });
    const list = (await door.call('_hca/artifact/list', { task: taskOf(given) })).artifacts;
    app.answer({ artifacts: list }, () => table(list.map(artifactCells)));
    return EXIT.accepted;
  },
};

const artifactCells = (meta: ArtifactMeta): string[] => [
  meta.id,
  `v${meta.version}`,
  meta.kind,
  `${meta.bytes} B`,
  meta.holon_id,
  meta.sha256.slice(0, 12),
];

type Wanted = { id: string; version?: number | undefined; out?: string | undefined };

const writeOut = async (app: App, door: Door, wanted: Wanted): Promise<number> => {
  const sink = wanted.out === undefined ? process.stdout : createWriteStream(path.resolve(app.cwd, wanted.out));
  const version = wanted.version === undefined ? {} : { version: wanted.version };
  let offset: number | null = 0;
  while (offset !== null) {
    const piece: { base64: string; next: number | null } = await door.call('_hca/artifact/get', {
      id: wanted.id,
      offset,
      ...version,
    });
    sink.write(Buffer.from(piece.base64, 'base64'));
    offset = piece.next;
  }
  if (wanted.out !== undefined) {
    sink.end();
    await finished(sink);
  }
  return EXIT.accepted;
};

export const diff: CommandSpec = {
  name: 'diff',
  args: [TASK_ARG],
  summary: 'what a task changed, as a git patch',
  options: [{ flags: '--stat', text: 'only the files and how many lines' }],
  examples: ['hca diff', 'hca diff last --stat', 'hca diff 7KQ2ZX > change.patch'],
  run: async (app, given) => {
    const answer = await (await app.door()).call('_hca/task/diff', { task: taskOf(given) });
    if (answer.files.length === 0 && !app.json) process.stderr.write('This task changed nothing.\n');
    const isShort = given.options.stat === true;
    app.answer(answer, () => (isShort ? fileLines(answer.files, app.screen) : patchLines(answer.patch, app)));
    return EXIT.accepted;
  },
};

const patchLines = (patch: string, { screen }: App): string[] =>
  patch
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      if (line.startsWith('@@')) return screen.paint('cyan', line);
      if (line.startsWith('+') && !line.startsWith('+++')) return screen.paint('green', line);
      return line.startsWith('-') && !line.startsWith('---') ? screen.paint('red', line) : line;
    });
