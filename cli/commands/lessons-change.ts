// `hca lessons …`, the rest: compared, confirmed, retired, rolled back, counted, exported and imported (JSON Lines).
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import type { LessonHealth } from '#shared/contracts/acp-lessons.ts';
import { EXIT, HcaFault } from '#shared/contracts/errors.ts';
import type { Lesson } from '#shared/contracts/lesson.ts';
import type { App } from '../app.ts';
import { type CommandSpec, type Given, readOptions } from '../define.ts';
import { table } from '../format.ts';
import { cut, plain } from '../screen.ts';
import { LESSON_ARG, lessonOf } from './lessons.ts';

const WHY = { flags: '--why <text>', text: 'the reason, kept in its history' } as const;
const whyOf = (given: Given) => {
  const { why } = readOptions(z.object({ why: z.string().min(1).max(400).optional() }), given);
  return why === undefined ? {} : { why };
};
const version = z.coerce.number('not a number').int('not a whole number').min(1, 'at least 1');

export const lessonsDiff: CommandSpec = {
  name: 'lessons diff',
  args: [LESSON_ARG],
  summary: 'what differs between two versions; the last two when none are named',
  options: [
    { flags: '--from <n>', text: 'the earlier version' },
    { flags: '--to <n>', text: 'the later version' },
  ],
  examples: ['hca lessons diff lesson-01J…', 'hca lessons diff lesson-01J… --from 1 --to 3'],
  run: async (app, given) => {
    const { from, to } = readOptions(z.object({ from: version.optional(), to: version.optional() }), given);
    const sides = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    const answer = await (await app.door()).call('_hca/lessons/diff', { lesson: lessonOf(given), ...sides });
    const rows = answer.changes.map((one) => [one.field, cut(plain(one.before), 60), '→', cut(plain(one.after), 60)]);
    app.answer(answer, () => [`v${answer.from} → v${answer.to}`, ...(rows.length === 0 ? ['the same'] : table(rows))]);
    return EXIT.accepted;
  },
};

export const lessonsConfirm: CommandSpec = {
  name: 'lessons confirm',
  args: [LESSON_ARG],
  summary: 'vouch for a lesson, also for one that was kept apart',
  options: [WHY],
  examples: ['hca lessons confirm lesson-01J… --why "seen it myself"'],
  run: async (app, given) => {
    const asked = { lesson: lessonOf(given), ...whyOf(given) };
    return changed(app, (await (await app.door()).call('_hca/lessons/confirm', asked)).lesson);
  },
};

export const lessonsRetire: CommandSpec = {
  name: 'lessons retire',
  args: [LESSON_ARG],
  summary: 'take a lesson out of use; its record stays',
  options: [WHY],
  examples: ['hca lessons retire lesson-01J… --why "no longer true"'],
  run: async (app, given) => {
    const asked = { lesson: lessonOf(given), ...whyOf(given) };
    return changed(app, (await (await app.door()).call('_hca/lessons/retire', asked)).lesson);
  },
};

export const lessonsRollback: CommandSpec = {
  name: 'lessons rollback',
  args: [LESSON_ARG],
  summary: 'make an earlier version the newest again',
  options: [{ flags: '--to <n>', text: 'the version to go back to' }, WHY],
  examples: ['hca lessons rollback lesson-01J… --to 1'],
  run: async (app, given) => {
    const { to } = readOptions(z.object({ to: version }), given);
    const asked = { lesson: lessonOf(given), to, ...whyOf(given) };
    return changed(app, (await (await app.door()).call('_hca/lessons/rollback', asked)).lesson);
  },
};

const changed = (app: App, lesson: Lesson): number => {
  app.answer(lesson, () => [
    `${lesson.id} is ${lesson.trust} (version ${lesson.version}): ${plain(lesson.change.why)}`,
  ]);
  return EXIT.accepted;
};

export const lessonsHealth: CommandSpec = {
  name: 'lessons health',
  args: [],
  summary: 'duplicates, never retrieved, never used, contradicted, kept apart, and the junk rate',
  options: [],
  examples: ['hca lessons health', 'hca lessons health --json'],
  run: async (app) => {
    const health = await (await app.door()).call('_hca/lessons/health', {});
    app.answer(health, () => healthLines(health));
    return EXIT.accepted;
  },
};

const healthLines = (health: LessonHealth): string[] =>
  table([
    ['lessons', `${health.lessons}, in ${health.groups} groups`],
    ['duplicates outside groups', String(health.duplicates)],
    ['never retrieved', `${health.never_retrieved} of ${health.groups} groups`],
    ['never used', `${health.never_used} of ${health.groups} groups`],
    ['contradicted', String(health.contradicted)],
    ['confirmed', String(health.confirmed)],
    ['kept apart', String(health.quarantined)],
    ['retired', String(health.retired)],
    ['junk rate', `${(health.junk_rate * 100).toFixed(1)} %`],
  ]);

export const lessonsExport: CommandSpec = {
  name: 'lessons export',
  args: [],
  summary: 'every lesson as JSON Lines on stdout',
  options: [],
  examples: ['hca lessons export > lessons.jsonl'],
  run: async (app) => {
    const door = await app.door();
    let after: string | null = '';
    while (after !== null) {
      const page: { lessons: Lesson[]; next: string | null } = await door.call('_hca/lessons/export', { after });
      for (const lesson of page.lessons) app.record(lesson);
      after = page.next;
    }
    return EXIT.accepted;
  },
};

/** Lessons that go with one request. */
const AT_ONCE = 100;

export const lessonsImport: CommandSpec = {
  name: 'lessons import',
  args: [{ name: '<file>', text: 'JSON Lines as export writes them; "-" reads stdin' }],
  summary: 'take in foreign lessons: kept apart until you confirm them, or refused, each with the reason',
  options: [],
  examples: ['hca lessons import lessons.jsonl', 'hca lessons import - < lessons.jsonl'],
  run: async (app, given) => {
    const name = given.args[0] ?? '';
    const lessons = linesOf(name === '-' ? await text(process.stdin) : readText(path.resolve(app.cwd, name)));
    const door = await app.door();
    const results: { id: string; status: string; reason: string }[] = [];
    for (let at = 0; at < lessons.length; at += AT_ONCE) {
      results.push(...(await door.call('_hca/lessons/import', { lessons: lessons.slice(at, at + AT_ONCE) })).results);
    }
    app.answer({ results }, () => results.map(({ id, status, reason }) => `${status} ${plain(id)}: ${plain(reason)}`));
    return EXIT.accepted;
  },
};

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw bad(`${file} cannot be read`, 'name an existing file of JSON Lines');
  }
};

const linesOf = (source: string): Record<string, unknown>[] => {
  const lines = source.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0)
    throw bad('there is nothing in it', 'give one lesson a line, as "hca lessons export" writes them');
  return lines.map((line, at) => {
    const read = z.record(z.string(), z.unknown()).safeParse(jsonOf(line));
    if (!read.success) throw bad(`line ${at + 1} is no JSON object`, 'correct this line; nothing was imported');
    return read.data;
  });
};

const jsonOf = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
};

const bad = (message: string, remedy: string): HcaFault =>
  new HcaFault('HcaBadInput', { message, field: 'file', remedy });
