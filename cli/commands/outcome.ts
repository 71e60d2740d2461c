// Commands that show what came out: verdict, escalation, artifacts, diff.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Door } from '#shared/client/door.ts';
import type { ResultOf } from '#shared/contracts/acp.ts';
import type { ArtifactMeta } from '#shared/contracts/artifact.ts';
import { EXIT, HcaFault } from '#shared/contracts/errors.ts';
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

/** To a file it is whole or an error; to stdout piece by piece, so that a large one needs no memory. */
const writeOut = async (app: App, door: Door, wanted: Wanted): Promise<number> => {
  if (wanted.out === undefined) {
    for await (const piece of piecesOf(door, wanted)) process.stdout.write(piece);
    return EXIT.accepted;
  }
  const file = path.resolve(app.cwd, wanted.out);
  try {
    await writeFile(file, piecesOf(door, wanted));
  } catch (cause) {
    throw cause instanceof HcaFault ? cause : unwritable(file, cause);
  }
  return EXIT.accepted;
};

async function* piecesOf(door: Door, { id, version }: Wanted): AsyncGenerator<Buffer, void, undefined> {
  let offset: number | null = 0;
  while (offset !== null) {
    const piece: { base64: string; next: number | null } = await door.call('_hca/artifact/get', {
      id,
      offset,
      ...(version === undefined ? {} : { version }),
    });
    yield Buffer.from(piece.base64, 'base64');
    offset = piece.next;
  }
}

const unwritable = (file: string, cause: unknown): HcaFault =>
  new HcaFault('HcaBadInput', {
    message: `${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
    field: '--out',
    remedy: 'name a file in a folder that you may write to',
    cause,
  });

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
