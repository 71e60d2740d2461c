// Speed and size of the index of lessons at 10,000 and 100,000: query, put, and cold load in a process of its own; at 10,000 minisearch and wink
// answer the last 40 of the questions over the same lessons in the same rounds (at 100,000 they need minutes and gigabytes: BENCH_PEERS=all).
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import MiniSearch from 'minisearch';
import bm25 from 'wink-bm25-text-search';
import nlp from 'wink-nlp-utils';
import * as z from 'zod';
import type { Entry } from '#shared/domain/knowledge/index-entry.ts';
import { createIndex, type LessonIndex } from '#shared/domain/knowledge/index-lessons.ts';
import { inFolder } from './folder.ts';
import { makeLesson, makeQuestion, seeded } from './made-lessons.ts';
import type { Figure } from './table.ts';

const NOW = 1e10;
const WARM = 300;
const QUESTIONS = 1000;
/** Each round is one value of a percentile: the least disturbed one is the minimum. */
const ROUNDS = 7;
const PEER_QUESTIONS = 40;
const PUTS = 500;
const LOADS = 3;
const TARGETS = new Map([
  [10_000, { query: '≤ 2', load: '≤ 150' }],
  [100_000, { query: '≤ 10', load: '≤ 1200' }],
]);

type Ask = (text: string) => unknown;

export const measure = (): Promise<Figure[]> =>
  inFolder(async (folder) => [...TARGETS.keys()].flatMap((size) => measureAt(size, folder)));

function measureAt(size: number, folder: string): Figure[] {
  const random = seeded(size);
  const lessons = Array.from({ length: size + 2 * PUTS }, (_, number) => makeLesson(number, random));
  const questions = Array.from({ length: WARM + QUESTIONS }, (_, at) => makeQuestion(pick(lessons, at), random));
  const index = createIndex();
  const early = putting(index, lessons, { fill: 1000 });
  const late = putting(index, lessons, { fill: size });
  const file = path.join(folder, String(size));
  writeFileSync(file, index.snapshot());
  return [
    ...queries(size, { index, lessons: lessons.slice(0, size), questions }),
    { name: `put into the index at 1,000, before ${said(size)}`, unit: 'ms', times: early },
    { name: `put into the index at ${said(size)}`, unit: 'ms', times: late, against: early, target: '≥ 0.83' },
    ...loads(size, file),
  ];
}

/** Fills up to a size, then times the next ones. */
function putting(index: LessonIndex, lessons: readonly Entry[], { fill }: { fill: number }): number[] {
  for (const lesson of lessons.slice(index.size, fill)) index.put(lesson);
  return timesOf(lessons.slice(index.size, index.size + PUTS), (lesson) => index.put(lesson));
}

interface Asked {
  index: LessonIndex;
  lessons: readonly Entry[];
  questions: readonly string[];
}

/** Ours and the peers' in turn, round by round. */
function queries(size: number, { index, lessons, questions }: Asked): Figure[] {
  const ask: Ask = (text) => index.search({ text, now: NOW });
  timesOf(questions.slice(0, WARM), ask);
  const peers =
    size === 10_000 || process.env.BENCH_PEERS === 'all'
      ? PEERS.map(([name, make]) => ({ name, ask: make(lessons) }))
      : [];
  const ours: number[][] = [];
  const theirs: number[][][] = peers.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(timesOf(questions.slice(WARM), ask));
    for (const [at, peer] of peers.entries()) theirs[at]?.push(timesOf(questions.slice(-PEER_QUESTIONS), peer.ask));
  }
  const sides = [{ name: 'hca', rounds: ours }, ...peers.map(({ name }, at) => ({ name, rounds: theirs[at] ?? [] }))];
  return MEASURES.flatMap(({ of, timesIn, isTarget }) =>
    sides.map(({ name, rounds }) => ({
      name: `query of ${said(size)} lessons, ${of}: ${name}`,
      unit: 'ms',
      times: timesIn(rounds),
      ...(name === 'hca' ? {} : { against: timesIn(ours) }),
      ...(name === 'hca' && isTarget ? { target: TARGETS.get(size)?.query } : {}),
    })),
  );
}

/** The best round of each question leaves out when the machine was at something else; each round for itself does not. */
const MEASURES: readonly { of: string; timesIn: (rounds: number[][]) => number[]; isTarget: boolean }[] = [
  {
    of: '50th percentile of a round',
    timesIn: (rounds) => rounds.map((times) => percentile(times, 0.5)),
    isTarget: false,
  },
  {
    of: '99th percentile of a round',
    timesIn: (rounds) => rounds.map((times) => percentile(times, 0.99)),
    isTarget: true,
  },
  {
    of: `99th percentile, each question at the best of ${ROUNDS} rounds`,
    timesIn: (rounds) => [percentile(bestOf(rounds), 0.99)],
    isTarget: true,
  },
];

const bestOf = (rounds: number[][]): number[] =>
  (rounds[0] ?? []).map((_, question) =>
    Math.min(...rounds.map((round) => round[question] ?? Number.POSITIVE_INFINITY)),
  );

const PEERS: readonly [string, (lessons: readonly Entry[]) => Ask][] = [
  ['minisearch', minisearch],
  ['wink-bm25-text-search', wink],
];

function minisearch(lessons: readonly Entry[]): Ask {
  const engine = new MiniSearch({ fields: ['situation', 'advice', 'did_not_work', 'tags'] });
  for (const { id, text, tags } of lessons) engine.add({ id, ...text, tags: tags.join(' ') });
  return (text) => engine.search(text);
}

function wink(lessons: readonly Entry[]): Ask {
  const engine = bm25();
  engine.defineConfig({ fldWeights: { situation: 2, advice: 1, did_not_work: 1, tags: 2 } });
  engine.definePrepTasks([nlp.string.lowerCase, nlp.string.tokenize0, nlp.tokens.removeWords, nlp.tokens.stem]);
  for (const { id, text, tags } of lessons) {
    const { situation = '', advice = '', did_not_work = '' } = text;
    engine.addDoc({ situation, advice, did_not_work, tags: tags.join(' ') }, id);
  }
  engine.consolidate();
  return (text) => engine.search(text, 10);
}

const Loaded = z.object({ ms: z.number(), own_ms: z.number(), rss: z.number() });

/** Each in a process of its own: nothing is compiled or warm. */
function loads(size: number, file: string): Figure[] {
  const args = ['--disable-warning=ExperimentalWarning', path.join(import.meta.dirname, 'retrieval-load.ts'), file];
  const runs = Array.from({ length: LOADS }, () =>
    Loaded.parse(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))),
  );
  const name = `cold load of ${said(size)}`;
  return [
    { name, unit: 'ms', times: runs.map(({ ms }) => ms), target: TARGETS.get(size)?.load },
    { name: `${name}: of that, its own thread`, unit: 'ms', times: runs.map(({ own_ms }) => own_ms) },
    { name: `${name}: resident`, unit: 'MB', times: runs.map(({ rss }) => rss), target: '≤ 400' },
  ];
}

function timesOf<T>(subjects: readonly T[], act: (subject: T) => unknown): number[] {
  return subjects.map((subject) => {
    const began = performance.now();
    act(subject);
    return performance.now() - began;
  });
}

const percentile = (times: readonly number[], share: number): number =>
  [...times].sort((one, other) => one - other)[Math.floor(times.length * share)] ?? 0;

const said = (count: number): string => count.toLocaleString('en');

function pick(lessons: readonly Entry[], at: number): Entry {
  const lesson = lessons[(at * 7919) % lessons.length];
  if (lesson === undefined) throw new Error('no lessons');
  return lesson;
}
