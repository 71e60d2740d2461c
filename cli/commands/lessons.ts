// `hca lessons …`: what was learned, looked at: search, list, show, history, diff, health.
import * as z from 'zod';
import type { ParamsIn } from '#shared/contracts/acp.ts';
import type { LessonFound } from '#shared/contracts/acp-lessons.ts';
import { EXIT } from '#shared/contracts/errors.ts';
import { type Lesson, LessonType, Trust } from '#shared/contracts/lesson.ts';
import { type CommandSpec, type Given, readOptions } from '../define.ts';
import { moment, table } from '../format.ts';
import { cut, plain } from '../screen.ts';

/** The lesson a command is about. */
export const LESSON_ARG = { name: '<lesson>', text: 'its id, or the id of the task that taught it' } as const;
export const lessonOf = (given: Given): string => given.args[0] ?? '';

const NONE = 'No lesson. Every finished task teaches one: hca run "make lint and tests pass"';

const SearchOptions = z.object({
  domain: z.string().optional(),
  family: z.string().optional(),
  tag: z.string().optional(),
  all: z.boolean().default(false),
  type: LessonType.optional(),
  trust: Trust.optional(),
  limit: z.coerce.number('not a number').int('not a whole number').min(1).max(50).default(10),
});

export const lessonsSearch: CommandSpec = {
  name: 'lessons search',
  args: [{ name: '[text...]', text: 'what it is about; without words the best proven come first' }],
  summary: 'find lessons, best first, each with why it matched',
  options: [
    { flags: '--domain <domain>', text: 'of this domain only' },
    { flags: '--family <family>', text: 'of this family of tasks only' },
    { flags: '--tag <tags>', text: 'with any of these tags, separated by commas' },
    { flags: '--all', text: 'with all of the tags' },
    { flags: '--type <type>', text: 'pattern or antipattern' },
    { flags: '--trust <trust>', text: 'at least this: retired, quarantined, provisional (the default), confirmed' },
    { flags: '-n, --limit <n>', text: 'how many (default: 10)' },
  ],
  examples: [
    'hca lessons search "unused imports"',
    'hca lessons search --tag biome,lint --all',
    'hca lessons search --type antipattern --json',
  ],
  run: async (app, given) => {
    const answer = await (await app.door()).call('_hca/lessons/search', questionOf(given));
    app.answer(answer, () => (answer.lessons.length === 0 ? [NONE] : answer.lessons.flatMap(foundLines)));
    return EXIT.accepted;
  },
};

const questionOf = (given: Given): ParamsIn<'_hca/lessons/search'> => {
  const { tag, all, limit, domain, family, type, trust } = readOptions(SearchOptions, given);
  const tags = (tag ?? '').split(',').map((one) => one.trim().toLowerCase());
  return {
    text: given.args.join(' '),
    tags: tags.filter((one) => one !== ''),
    match: all ? 'all' : 'any',
    limit,
    ...only('domain', domain),
    ...only('family', family),
    ...only('type', type),
    ...only('trust', trust),
  };
};

/** A filter that was given; one that was not is none. */
const only = <K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> => {
  const pair: Partial<Record<K, V>> = {};
  if (value !== undefined) pair[key] = value;
  return pair;
};

const foundLines = ({ lesson, score, why }: LessonFound): string[] => [
  `${score.toFixed(2)}  ${lesson.id}  ${lesson.type}, ${lesson.trust}, ${lesson.family}`,
  `      ${cut(plain(lesson.advice), 140)}`,
  `      matched: ${why.map(plain).join(', ') || 'nothing but the filters'}`,
];

const ListOptions = z.object({
  trust: Trust.optional(),
  limit: z.coerce.number('not a number').int('not a whole number').min(1).max(1000).default(100),
  after: z.string().optional(),
});

export const lessonsList: CommandSpec = {
  name: 'lessons list',
  args: [],
  summary: 'all lessons, whatever their trust',
  options: [
    { flags: '--trust <trust>', text: 'only retired, quarantined, provisional or confirmed ones' },
    { flags: '-n, --limit <n>', text: 'how many (default: 100)' },
    { flags: '--after <id>', text: 'go on behind an earlier page' },
  ],
  examples: ['hca lessons list', 'hca lessons list --trust quarantined', 'hca lessons list -n 1000 --json'],
  run: async (app, given) => {
    const { limit, trust, after } = readOptions(ListOptions, given);
    const asked = { limit, ...only('trust', trust), ...only('after', after) };
    const page = await (await app.door()).call('_hca/lessons/list', asked);
    app.answer(page, () => (page.lessons.length === 0 ? [NONE] : table(page.lessons.map(lessonCells))));
    return EXIT.accepted;
  },
};

const lessonCells = (lesson: Lesson): string[] => [
  lesson.id,
  `v${lesson.version}`,
  lesson.type,
  lesson.trust,
  lesson.group === null ? '' : `as ${lesson.group}`,
  cut(plain(lesson.advice), 60),
];

export const lessonsShow: CommandSpec = {
  name: 'lessons show',
  args: [LESSON_ARG],
  summary: 'one lesson whole: situation, advice, evidence, outcomes, trust',
  options: [{ flags: '--version <n>', text: 'a version other than the newest' }],
  examples: ['hca lessons show lesson-01J…', 'hca lessons show 01J… --version 1'],
  run: async (app, given) => {
    const { version } = readOptions(z.object({ version: z.coerce.number().int().min(1).optional() }), given);
    const asked = { lesson: lessonOf(given), ...(version === undefined ? {} : { version }) };
    const { lesson } = await (await app.door()).call('_hca/lessons/show', asked);
    app.answer(lesson, () => lessonLines(lesson));
    return EXIT.accepted;
  },
};

/** The lesson for a person. */
export const lessonLines = (lesson: Lesson): string[] => [
  `${lesson.id} v${lesson.version}: ${lesson.type}, ${lesson.trust} (${plain(lesson.change.why)})`,
  ...table([
    [
      'From',
      `${lesson.task_id} by ${lesson.holon} (${lesson.domain}, ${lesson.provenance.origin}), ${moment(lesson.created_at)}`,
    ],
    ['Family', lesson.family],
    ['Tags', lesson.tags.join(', ')],
    ['Situation', plain(lesson.situation)],
    ['Advice', plain(lesson.advice)],
    ['Did not work', plain(lesson.did_not_work) || '-'],
    ['Speaks for', lesson.alternatives.for.join(', ') || '-'],
    ['Against', lesson.alternatives.against.join(', ') || '-'],
    ['Outcomes', `used ${lesson.outcomes.used}, helped ${lesson.outcomes.helped}, hurt ${lesson.outcomes.hurt}`],
    ['Group', lesson.group ?? 'its own head'],
    ['Contradicts', lesson.contradicts.join(', ') || '-'],
    ['Evidence', lesson.evidence.join(', ')],
  ]),
];

export const lessonsHistory: CommandSpec = {
  name: 'lessons history',
  args: [LESSON_ARG],
  summary: 'every version of a lesson, and why it is there',
  options: [],
  examples: ['hca lessons history lesson-01J…'],
  run: async (app, given) => {
    const answer = await (await app.door()).call('_hca/lessons/history', { lesson: lessonOf(given) });
    app.answer(answer, () =>
      table(answer.versions.map((one) => [`v${one.version}`, moment(one.change.at), one.trust, plain(one.change.why)])),
    );
    return EXIT.accepted;
  },
};
