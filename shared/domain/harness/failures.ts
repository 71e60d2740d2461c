// What failed, as lines that stay the same when nothing changed: the ground for "no new failure" (requirements section 3).

/** At most this many lines are kept; more are told in coarser words, see `failureLines`. */
const MOST = 200;
const LONGEST = 300;

/**
 * The set of failures that a command's output names, without what shifts from run to run (times, line numbers, counts, temporary
 * paths, addresses, seeds, colours). A failure seen twice is listed as `… (2)`. If there are more than 200, one line per file is kept.
 */
export function failureLines(output: string): string[] {
  const lines = joinedToFiles(plain(output).split('\n'));
  const named = lines.filter((line) => NAMED.some((shape) => shape.test(line)));
  const telling = lines.filter((line) => TELLING.test(line));
  const chosen = [named, telling, lines].find((some) => some.length > 0) ?? [];
  const found = counted(chosen.map(normalised).filter((line) => line !== ''));
  return found.length <= MOST ? found : [...new Set(found.map(coarse))].sort().slice(0, MOST);
}

/** Failures of `after` that none of `before` accounts for, also where one side was told in coarser words. */
export function newFailures(before: readonly string[], after: readonly string[]): string[] {
  const known = new Set(before);
  return after.filter((line) => !known.has(line) && !known.has(coarse(line)));
}

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[ -/]*[@-~]`, 'g');

function plain(output: string): string {
  return output.replaceAll(ESCAPES, '').replaceAll('\r', '');
}

/** A line that is only a path heads the lines below it (eslint, stylelint); they get the path in front. */
function joinedToFiles(lines: readonly string[]): string[] {
  let file = '';
  const joined = lines.map((line) => {
    file = headOf(line) ?? file;
    return file !== '' && /^\s+\d+:\d+\s/.test(line) ? `${file}:${line.trim()}` : line;
  });
  return joined.filter((line) => !NOISE.some((shape) => shape.test(line)));
}

/** The path that a line consists of; an empty line ends a head. */
function headOf(line: string): string | null {
  const text = line.trim();
  if (text === '') return '';
  return /^\S*[\w-]\.[A-Za-z]{1,5}$/.test(text) ? text : null;
}

/** Lines that name one failure each, by the tools people use. */
const NAMED: readonly RegExp[] = [
  /^\s*(?:✖|✗|×|not ok\b)\s*\S/,
  /^\s*(?:FAIL|FAILED|ERROR)\s+\S+/,
  /^\s*(?:FAIL|ERROR): \S/,
  /^\s*--- FAIL: \S/,
  /^test .+ \.\.\. FAILED$/,
  /^\s*● .+ › /,
  /^\S*[\w-]\.[A-Za-z]{1,5}:\d+/,
  /^\S*[\w-]\.[A-Za-z]{1,5}\(\d+,\d+\)/,
  /^\S+ .*━{3,}/,
  /^\[(?:warn|error)\] \S+\.\w+/,
  /^\s*[!⚠x] [\w-]+\([\w/-]+\): /,
  /^[A-Z]+\d+ (?:\[\*\] )?\S.* \S/,
  /^would reformat /,
  /^Would reformat: /,
  /^(?:error|warning)(?:\[\w+\])?: /,
];

/** Summaries, stacks and source frames: they change with what surrounds a failure. */
const NOISE: readonly RegExp[] = [
  /^\s*(?:✖|×)?\s*\d+ (?:problems?|errors?|warnings?|files?|tests?|failed|passed|passing|failing)\b/i,
  /^\s*(?:✖|×) failing tests:?$/,
  /^\s*(?:Found|Checked|Ran|Tests?|Suites?|Test Files|Duration|Start at|Fixed|Skipped \d+|Summary)\b[^"']*\d/i,
  /^\s*ℹ /,
  /^\s*at .+/,
  /^\s*>?\s*\d+\s*[│|]/,
  /^\s*[│|·]/,
  /^\s*(?:[╭╰,`]|-->)\S*/,
  /^\s*help: /,
  /^\s*(?:✔|✓|ok \d+)/,
  /^\s*#\s/,
  /^\s*(?:duration_ms|seed)\b/i,
  /^\s*error: could not compile/,
  /^\s*[\^~─━-]+\s*$/,
];

const TELLING = /error|fail|not ok|✖|✗|×|exception|panic|assert|warn|unexpected|cannot|missing|invalid|expected/i;

function normalised(line: string): string {
  return line
    .replaceAll(/━+/g, '')
    .replaceAll(/(?:\/private)?\/(?:tmp|var\/folders)\/[^\s:'")]+\//g, '<tmp>/')
    .replaceAll(/0x[0-9a-f]+/gi, '#')
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, '#')
    .replaceAll(/\(?\b\d+(?:\.\d+)?\s?(?:ms|µs|s|sec|seconds|min)\b\)?/g, '')
    .replaceAll(/:\d+:\d+\b|\(\d+,\d+\)|:\d+(?=[:\s]|$)/g, ':#')
    .replaceAll(/\b(line|column|col|seed|pid|port)s?[ =:]+\d+/gi, '$1 #')
    .replaceAll(/^(\s*(?:not )?ok) \d+/g, '$1 #')
    .replaceAll(/\b\d+ (errors?|warnings?|problems?|failures?|files?|tests?|issues?)\b/gi, '# $1')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST - 8);
}

function counted(lines: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return lines.map((line) => {
    const count = (seen.get(line) ?? 0) + 1;
    seen.set(line, count);
    return count === 1 ? line : `${line} (${count})`;
  });
}

/** The file that a failure is in, or its first words. */
function coarse(line: string): string {
  const file = /(?:^|\s)([^\s:()]*[\w-]\.[A-Za-z]{1,5})(?=[:\s(]|$)/.exec(line)?.[1];
  return `failures in ${file ?? line.split(' ').slice(0, 3).join(' ')}`;
}
