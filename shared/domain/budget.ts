// Budget arithmetic: integers in five dimensions, nothing ever negative, 0 means refuse (L1-DEL-03, L2-PLN-03, L2-ITR-04; pitfalls 7 and 8).
import { type Budget, DIMENSIONS, type Dimension } from '#shared/contracts/budget.ts';
import type { Problem } from '#shared/contracts/errors.ts';

/** Nothing at all. */
export const ZERO: Budget = Object.freeze({ usd_micros: 0, tokens: 0, calls: 0, attempts: 0, time_ms: 0 });

/** What a task gets when nobody says anything: 1 dollar, 200,000 tokens, 400 calls, 12 attempts, 15 minutes of tool time. */
export const DEFAULT_BUDGET: Budget = Object.freeze({
  usd_micros: 1_000_000,
  tokens: 200_000,
  calls: 400,
  attempts: 12,
  time_ms: 15 * 60_000,
});

/** Largest amount in any dimension: sums of a thousand of them stay exact integers (1e12 × 1e3 < 2^53). */
const MOST = 1e12;

/** Milliseconds of the units of a time. */
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

interface Key {
  dimension: Dimension;
  example: string;
  /** The amount in the dimension's own unit; NaN when the text is none. */
  read: (text: string) => number;
}

const KEYS: Readonly<Record<string, Key>> = {
  usd: { dimension: 'usd_micros', example: 'usd=0.50', read: readDollars },
  tokens: { dimension: 'tokens', example: 'tokens=200000', read: readCount },
  calls: { dimension: 'calls', example: 'calls=100', read: readCount },
  attempts: { dimension: 'attempts', example: 'attempts=9', read: readCount },
  time: { dimension: 'time_ms', example: 'time=15m', read: readTime },
};

/** Sum of two budgets. */
export const add = (a: Budget, b: Budget): Budget => each((d) => a[d] + b[d]);

/** What is left of `a` without `b`; never below 0. */
export const minus = (a: Budget, b: Budget): Budget => each((d) => Math.max(0, a[d] - b[d]));

/** The smaller of both in every dimension. */
export const least = (a: Budget, b: Budget): Budget => each((d) => Math.min(a[d], b[d]));

/** The larger of both in every dimension. */
export const most = (a: Budget, b: Budget): Budget => each((d) => Math.max(a[d], b[d]));

/** True when `rest` covers `amount` in every dimension. */
export const fits = (amount: Budget, rest: Budget): boolean => DIMENSIONS.every((d) => amount[d] <= rest[d]);

/** `factor` of every dimension, rounded down; a factor below 0 counts as 0. */
export const scale = (budget: Budget, factor: number): Budget =>
  each((d) => Math.floor(budget[d] * Math.max(0, factor)));

/**
 * True when nothing can be done with `rest` any more: no call, attempt or time. Dollars and tokens count only where `granted` had some,
 * because work without a model needs none (L2-ITR-04).
 */
export function isSpent(rest: Budget, granted: Budget = ZERO): boolean {
  if (rest.calls <= 0 || rest.attempts <= 0 || rest.time_ms <= 0) return true;
  return (granted.usd_micros > 0 && rest.usd_micros <= 0) || (granted.tokens > 0 && rest.tokens <= 0);
}

/** Splits into `parts` whole budgets whose sum is exactly the budget; what does not divide goes to the first ones, one unit each. */
export function share(budget: Budget, parts: number): Budget[] {
  return Array.from({ length: Math.max(0, Math.floor(parts)) }, (_, index) =>
    each((d) => Math.floor(budget[d] / parts) + (index < budget[d] % parts ? 1 : 0)),
  );
}

/** Reads `usd=1,tokens=200000,calls=100,time=15m,attempts=9`; what is not named is absent. The problem names the field (`budget.time`) and what to write instead. */
export function parseBudget(text: string): { budget: Partial<Budget> } | { problem: Problem } {
  const budget: Partial<Budget> = {};
  for (const part of text.split(',')) {
    const read = readPart(part.trim());
    if ('problem' in read) return read;
    if (budget[read.dimension] !== undefined) return { problem: twice(part.trim()) };
    budget[read.dimension] = read.amount;
  }
  return { budget };
}

function each(of: (dimension: Dimension) => number): Budget {
  return {
    usd_micros: of('usd_micros'),
    tokens: of('tokens'),
    calls: of('calls'),
    attempts: of('attempts'),
    time_ms: of('time_ms'),
  };
}

function readPart(part: string): { dimension: Dimension; amount: number } | { problem: Problem } {
  const [name = '', value] = part.split(/=(.*)/s).map((word) => word.trim());
  const key = Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
  if (key === undefined || value === undefined) return { problem: unknown(part) };
  const amount = key.read(value);
  if (amount > 0 && amount <= MOST) return { dimension: key.dimension, amount };
  const problem = { field: `budget.${name}`, remedy: `Write for example ${key.example}.` };
  return { problem: { ...problem, message: `"${quoted(part)}" is not a budget: ${whyNot(amount)}.` } };
}

function whyNot(amount: number): string {
  if (Number.isNaN(amount)) return 'it cannot be read';
  return amount > MOST ? 'it is too large' : 'zero means that nothing may be done, and no budget is negative';
}

function readDollars(text: string): number {
  return /^-?\d{1,15}(\.\d{1,6})?$/.test(text) ? Math.round(Number(text) * 1_000_000) : Number.NaN;
}

function readCount(text: string): number {
  return /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
}

function readTime(text: string): number {
  const [, amount, unit = ''] = /^(-?\d{1,16})(ms|s|m|h)$/.exec(text) ?? [];
  return amount === undefined ? Number.NaN : Number(amount) * (UNITS[unit] ?? Number.NaN);
}

function unknown(part: string): Problem {
  return {
    field: 'budget',
    message: part === '' ? 'A part of the budget is empty.' : `"${quoted(part)}" is not a part of a budget.`,
    remedy: `Write NAME=AMOUNT, separated by commas, with the names ${Object.keys(KEYS).join(', ')}.`,
  };
}

function twice(part: string): Problem {
  const name = part.split('=')[0]?.trim() ?? '';
  return { field: `budget.${name}`, message: `"${name}" is given twice.`, remedy: 'Give it once.' };
}

/** The person's own text, short and without control characters. */
function quoted(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ').slice(0, 60);
}
