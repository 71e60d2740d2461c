// Speed and size of the index of lessons at 10,000 and 100,000: query, contribution, and cold load in a process of its own; minisearch
// answers the same questions over the same lessons. Times of our own thread beside wall times: a busy machine changes only the latter.
// BENCH_PEER=0 leaves the peer out (it needs minutes and gigabytes at 100,000).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import MiniSearch from 'minisearch';
import type { Entry } from '#shared/domain/knowledge/index-entry.ts';
import { createIndex, decodeSnapshot } from '#shared/domain/knowledge/index-lessons.ts';
import { makeLesson, makeQuestion, seeded } from './made-lessons.ts';

const NOW = 1e10;
const WARM = 300;
const QUESTIONS = 1000;
/** Each question is asked so often; its best time leaves out when the machine was at something else. */
const ROUNDS = 7;
const PEER_QUESTIONS = 60;
const CONTRIBUTIONS = 500;

interface Times {
  wall: number[];
  own: number[];
}

if (process.argv[2] === 'load') load(process.argv[3] ?? '');
else measure();

function measure(): void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hca-bench-'));
  console.log('| what | mean of own thread | p50 | p99 | unit |\n|---|---|---|---|---|');
  for (const size of [10_000, 100_000]) measureAt(size, folder);
  rmSync(folder, { recursive: true });
}

function measureAt(size: number, folder: string): void {
  const random = seeded(size);
  const lessons = Array.from({ length: size + CONTRIBUTIONS }, (_, number) => makeLesson(number, random));
  const questions = Array.from({ length: WARM + QUESTIONS }, (_, at) => makeQuestion(pick(lessons, at), random));
  const index = createIndex();
  const adds: Times[] = [];
  for (const [from, to] of [
    [0, 1000],
    [1000, 1000 + CONTRIBUTIONS],
    [1000 + CONTRIBUTIONS, size],
    [size, size + CONTRIBUTIONS],
  ]) {
    adds.push(timesOf(lessons.slice(from, to), (lesson) => index.put(lesson)));
  }
  const ask = (text: string): unknown => index.search({ text, now: NOW });
  timesOf(questions.slice(0, WARM), ask);
  const rounds = Array.from({ length: ROUNDS }, () => timesOf(questions.slice(WARM), ask));
  row(`query at ${size}: hca, all ${ROUNDS} rounds`, {
    wall: rounds.flatMap(({ wall }) => wall),
    own: rounds.flatMap(({ own }) => own),
  });
  row(`query at ${size}: hca, best round of each question`, bestOf(rounds));
  if (process.env.BENCH_PEER !== '0') row(`query at ${size}: minisearch`, peerTimes(lessons, questions));
  row('contribution at 1000', adds[1]);
  row(`contribution at ${size}`, adds[3]);
  const file = path.join(folder, String(size));
  writeFileSync(file, index.snapshot());
  for (let run = 0; run < 3; run += 1) {
    console.log(execFileSync(process.execPath, [import.meta.filename, 'load', file], { encoding: 'utf8' }).trim());
  }
}

/** In a process of its own: nothing is compiled or warm. */
function load(file: string): void {
  const bytes = new Uint8Array(readFileSync(file));
  const loaded: ReturnType<typeof decodeSnapshot>[] = [];
  const time = timesOf([bytes], (one) => loaded.push(decodeSnapshot(one)));
  const index = loaded[0];
  if (index === undefined || typeof index === 'string') throw new Error(`not loaded: ${index}`);
  const rss = Math.round(process.memoryUsage().rss / 2 ** 20);
  const [own, wall] = [time.own[0] ?? 0, time.wall[0] ?? 0];
  const size = (bytes.length / 2 ** 20).toFixed(1);
  console.log(
    `| cold load of ${index.size} (${size} MiB), resident ${rss} MiB | ${own.toFixed(0)} | ${wall.toFixed(0)} | | ms |`,
  );
}

function peerTimes(lessons: readonly Entry[], questions: readonly string[]): Times {
  const engine = new MiniSearch({ fields: ['situation', 'advice', 'did_not_work', 'tags'] });
  for (const { id, text, tags } of lessons) engine.add({ id, ...text, tags: tags.join(' ') });
  return timesOf(questions.slice(0, PEER_QUESTIONS), (text) => engine.search(text));
}

function bestOf(rounds: readonly Times[]): Times {
  const wall = (rounds[0]?.wall ?? []).map((_, question) =>
    Math.min(...rounds.map((round) => round.wall[question] ?? Infinity)),
  );
  return { wall, own: wall };
}

function timesOf<T>(subjects: readonly T[], act: (subject: T) => unknown): Times {
  const times: Times = { wall: [], own: [] };
  for (const subject of subjects) {
    const [began, used] = [performance.now(), process.threadCpuUsage()];
    act(subject);
    const { user, system } = process.threadCpuUsage(used);
    times.wall.push(performance.now() - began);
    times.own.push((user + system) / 1000);
  }
  return times;
}

/** The clock of our own thread may tick in steps of milliseconds: only its mean says something. */
function row(what: string, { wall, own }: Times = { wall: [], own: [] }): void {
  const mean = own.reduce((sum, time) => sum + time, 0) / own.length;
  const cells = [mean, at(wall, 0.5), at(wall, 0.99)].map((time) => time.toFixed(3));
  console.log(`| ${what} | ${cells.join(' | ')} | ms |`);
}

function at(times: readonly number[], share: number): number {
  return [...times].sort((one, other) => one - other)[Math.floor(times.length * share)] ?? 0;
}

function pick(lessons: readonly Entry[], at: number): Entry {
  const lesson = lessons[(at * 7919) % lessons.length];
  if (lesson === undefined) throw new Error('no lessons');
  return lesson;
}
