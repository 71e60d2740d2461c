// Criteria as a person writes them (`hca run --criteria FILE`), read into the contract or refused with the field and the remedy.
import * as z from 'zod';
import { type Check, Criterion, GivenCriterion } from '#shared/contracts/criterion.ts';

/** What is wrong with one entry: where, what, and what would be right. */
export type Problem = { field: string; message: string; remedy: string };

export type ReadCriteria = { ok: true; criteria: Criterion[] } | { ok: false; problems: Problem[] };

/** Reads the parsed file (YAML or JSON): a list, or an object with a list `criteria`. Every entry is a goal's check. */
export function readCriteria(file: unknown): ReadCriteria {
  const wrapped = z.object({ criteria: z.array(z.unknown()) }).safeParse(file);
  const list = z.array(z.unknown()).safeParse(wrapped.success ? wrapped.data.criteria : file);
  if (!list.success) return refused('criteria', 'the file holds no list', 'write a list, one entry per criterion');
  if (list.data.length === 0)
    return refused('criteria', 'the list is empty', 'add a criterion, or leave --criteria out');
  if (list.data.length > MOST)
    return refused('criteria', `the list has ${list.data.length} entries`, `give at most ${MOST}`);
  const entries = list.data.map((entry, at) => readEntry(entry, at));
  const problems = entries.flatMap((entry) => (entry.ok ? [] : entry.problems));
  const criteria = entries.flatMap((entry) => (entry.ok ? entry.criteria : []));
  const twice = criteria.find((one, at) => criteria.findIndex((other) => other.id === one.id) !== at);
  if (problems.length > 0) return { ok: false, problems };
  if (twice !== undefined)
    return refused(
      `criteria[${criteria.indexOf(twice)}].id`,
      `"${twice.id}" is there twice`,
      'give each criterion its own id',
    );
  return { ok: true, criteria };
}

/** Guards of the workspace need room beside what a person asks for. */
const MOST = 40;

const refused = (field: string, message: string, remedy: string): ReadCriteria => ({
  ok: false,
  problems: [{ field, message, remedy }],
});

function readEntry(entry: unknown, at: number): ReadCriteria {
  const given = GivenCriterion.safeParse(entry);
  if (!given.success) return { ok: false, problems: problemsOf(given.error, entry, at) };
  const {
    id = `given-${at + 1}`,
    text,
    level = 'must',
    clause = null,
    allows = [],
  } = typeof given.data === 'string' ? {} : given.data;
  const check = checkOf(given.data);
  const criterion = Criterion.safeParse({
    id,
    text: text ?? textOf(check),
    level,
    clause,
    goal: true,
    project_check: null,
    check,
    allows,
  });
  if (criterion.success) return { ok: true, criteria: [criterion.data] };
  return { ok: false, problems: problemsOf(criterion.error, entry, at) };
}

function checkOf(given: GivenCriterion): Check {
  if (typeof given === 'string') return command({ command: given });
  if ('command' in given) return command(given);
  if ('file' in given) {
    const matches = given.matches === undefined ? {} : { matches: given.matches };
    return { kind: 'file', path: given.file, exists: given.exists ?? true, ...matches };
  }
  if ('schema' in given) return { kind: 'schema', path: given.path, schema: given.schema };
  return { kind: 'diff', forbid: [], allow: [], fix_tests: false, frozen_if_red: [], ...given.diff };
}

function command({
  command: text,
  cwd = '.',
  exit = 0,
  timeout = '2m',
}: {
  command: string;
  cwd?: string | undefined;
  exit?: number | undefined;
  timeout?: string | undefined;
}): Check {
  const unit = UNITS[timeout.replace(/^\d+/, '')] ?? 1;
  return { kind: 'command', command: text, cwd, exit, timeout_ms: Number.parseInt(timeout, 10) * unit };
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

function textOf(check: Check): string {
  if (check.kind === 'command') return `${check.command} exits with ${check.exit}`.slice(0, 500);
  if (check.kind === 'file')
    return check.exists
      ? `${check.path} exists${check.matches === undefined ? '' : ' and matches'}`
      : `${check.path} does not exist`;
  return check.kind === 'schema' ? `${check.path} satisfies its schema` : 'the change keeps to its limits';
}

const KINDS = ['command', 'file', 'schema', 'diff'] as const;
const REMEDY = 'an entry is a command, or an object with one of: command, file, schema + path, diff';

/** Errors of the kind the entry means to be; a union alone would only say "invalid input". */
function problemsOf(error: z.ZodError, entry: unknown, at: number): Problem[] {
  const kind = KINDS.find((name) => typeof entry === 'object' && entry !== null && name in entry);
  if (kind === undefined)
    return [{ field: `criteria[${at}]`, message: 'it is not known how to check this', remedy: REMEDY }];
  const options = error.issues.flatMap((issue) =>
    issue.code === 'invalid_union' ? [issue.errors[KINDS.indexOf(kind) + 1] ?? []] : [[issue]],
  );
  return options.flat().map((issue) => ({
    field: [`criteria[${at}]`, ...issue.path.map(String)].join('.'),
    message: issue.message,
    remedy: `see the fields of a ${kind} criterion: ${FIELDS[kind]}`,
  }));
}

const FIELDS: Readonly<Record<(typeof KINDS)[number], string>> = {
  command: 'command, cwd, exit, timeout ("30s"), and id, text, level, clause, allows',
  file: 'file, exists, matches, and id, text, level, clause, allows',
  schema: 'path, schema, and id, text, level, clause, allows',
  diff: 'diff { max_files, max_lines, forbid, allow }, and id, text, level, clause, allows',
};
